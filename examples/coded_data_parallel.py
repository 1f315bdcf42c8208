"""Coded data-parallel training with torch.distributed: four processes, one of them frozen.

Each process holds two of four parts of the data (cyclic repetition for one straggler). In every
step it sends its coded gradient to the others and decodes from the first three that are there,
its own among them. One process falls asleep for ever in step 5; the others neither wait nor lose
anything: their model stays that of training on one machine.

    pip install 'gcdesign[torch]'
    python examples/coded_data_parallel.py
"""

from __future__ import annotations

import os
import socket
import threading
import time
from contextlib import suppress
from queue import Empty, Queue
from typing import Any

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import Tensor, nn

from gcdesign.training import make_scheme
from gcdesign.training.torch_adapter import CodedGradients

RANKS = 4
STEPS = 30
FROZEN, FROZEN_FROM = 2, 5
SAMPLES, FEATURES = 240, 6
PATIENCE = 60.0
"""Seconds after which a process gives up: something is wrong."""


def make_data() -> tuple[Tensor, Tensor]:
    """Return the samples, the same in each process."""
    generator = torch.Generator().manual_seed(1)
    features = torch.randn(SAMPLES, FEATURES, generator=generator, dtype=torch.float64)
    return features, torch.sin(features.sum(dim=1, keepdim=True))


def make_module() -> nn.Module:
    """Return the module before the first step, the same in each process."""
    torch.manual_seed(2)
    hidden = nn.Linear(FEATURES, 16), nn.Tanh(), nn.Linear(16, 1)
    return nn.Sequential(*hidden).double()


def loss_on(module: nn.Module, data: tuple[Tensor, Tensor], part: int, parts: int) -> Tensor:
    """Return the module's loss on one part; the parts' losses add up to the mean over all."""
    features, targets = (values.tensor_split(parts)[part] for values in data)
    return ((module(features) - targets) ** 2).sum() / SAMPLES


class Peers:
    """Messages to and from the other processes; a thread for each direction and process.

    A blocking ``send`` or ``recv`` with a frozen process holds up its own thread only.
    """

    def __init__(self, rank: int, length: int) -> None:
        self.arrived: Queue[tuple[int, int, Tensor]] = Queue()
        self._outgoing: dict[int, Queue[Tensor]] = {}
        self._length = length
        for peer in set(range(RANKS)) - {rank}:
            self._outgoing[peer] = Queue()
            for work in (self._receive, self._send):
                threading.Thread(target=work, args=(peer,), daemon=True).start()

    def send(self, step: int, message: Tensor) -> None:
        """Send to all, the step in front, so that nobody mixes steps up."""
        row = torch.cat([torch.tensor([float(step)], dtype=message.dtype), message])
        for queue in self._outgoing.values():
            queue.put(row)

    def _send(self, peer: int) -> None:
        with suppress(RuntimeError):  # the other one is gone
            while True:
                dist.send(self._outgoing[peer].get(), dst=peer)

    def _receive(self, peer: int) -> None:
        with suppress(RuntimeError):
            while True:
                row = torch.empty(1 + self._length, dtype=torch.float64)
                dist.recv(row, src=peer)
                self.arrived.put((int(row[0]), peer, row[1:]))


def work(rank: int, port: int, results: Any) -> None:
    """Train as one of the processes."""
    torch.set_num_threads(1)
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    dist.init_process_group("gloo", rank=rank, world_size=RANKS)
    scheme = make_scheme("cyclic", workers=RANKS, stragglers=1)
    module, data = make_module(), make_data()
    coded = CodedGradients(module, scheme)
    optimiser = torch.optim.SGD(module.parameters(), lr=0.1, momentum=0.9)
    peers = Peers(rank, coded.size)
    early: list[tuple[int, int, Tensor]] = []
    for step in range(STEPS):
        if rank == FROZEN and step == FROZEN_FROM:
            time.sleep(10 * PATIENCE)
        own = coded.message(rank, lambda part: loss_on(module, data, part, scheme.parts))
        peers.send(step, own)
        messages = {(rank, 0): own}
        collector = scheme.collector()
        collector.add((rank, 0))
        waiting, early = early, []
        while not collector.ready:
            if waiting:
                sent, peer, message = waiting.pop()
            else:
                sent, peer, message = peers.arrived.get(timeout=PATIENCE)
            if sent == step:
                messages[peer, 0] = message
                collector.add((peer, 0))
            elif sent > step:  # a process may be one step ahead
                early.append((sent, peer, message))
        early += [letter for letter in waiting if letter[0] > step]
        coded.decode(messages)
        optimiser.step()
    results.put((rank, [parameter.tolist() for parameter in module.parameters()]))
    time.sleep(10 * PATIENCE)  # others may still receive from this one; the end comes from outside


def train_alone() -> nn.Module:
    """Return the module after the same training in this process."""
    module, data = make_module(), make_data()
    optimiser = torch.optim.SGD(module.parameters(), lr=0.1, momentum=0.9)
    for _ in range(STEPS):
        optimiser.zero_grad()
        loss_on(module, data, 0, 1).backward()
        optimiser.step()
    return module


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> None:
    """Train with four processes and compare with one."""
    context = mp.get_context("spawn")
    results, port = context.Queue(), free_port()
    processes = [context.Process(target=work, args=(r, port, results)) for r in range(RANKS)]
    for process in processes:
        process.start()
    alone = list(train_alone().parameters())
    try:
        for _ in range(RANKS - 1):
            rank, found = results.get(timeout=PATIENCE)
            off = max(
                float((torch.tensor(values, dtype=torch.float64) - own).detach().abs().max())
                for values, own in zip(found, alone, strict=True)
            )
            print(f"process {rank}: {STEPS} steps, off by less than 1e-10: {off < 1e-10}")
    except Empty:
        raise SystemExit("a process does not answer") from None
    finally:
        for process in processes:  # the frozen one would never end
            process.kill()
            process.join()
    print(f"process {FROZEN} was frozen in step {FROZEN_FROM}, and nobody waited")


if __name__ == "__main__":
    main()
