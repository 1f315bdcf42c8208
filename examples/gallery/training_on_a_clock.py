"""
Training while workers are slow
===============================

Twelve workers learn a logistic model on a simulated clock. Their times are random, and in each step
two of them, chosen at random, are five seconds late.
"""

from gcdesign.figures import runs_figure
from gcdesign.training import Plan
from gcdesign.training.setup import Learning, Setup
from gcdesign.training.sweep import sweep, variations

base = Setup(
    stragglers=2,
    times="shifted-exp:shift=0.5,rate=2",
    delay=5,
    learning=Learning(data="mixture:samples=1200,features=100", rate=0.02),
)
schemes = ["naive", "ignore-stragglers", "cyclic", "frc"]
runs = sweep(variations(base, scheme=schemes), Plan(steps=60, evaluate_every=3))
figure = runs_figure(runs)

# %%
# With a code a master has the whole gradient as soon as all but two have answered, so that the
# model is the same as without stragglers, only sooner. Who ignores the two is sooner still, and
# learns from less.

for run in runs:
    last = run.history.evaluations[-1]
    print(f"{run.label}: {last.seconds:.0f} s for 60 steps, AUC {last.metrics['auc']:.4f}")
