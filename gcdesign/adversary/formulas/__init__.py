"""Closed forms for whole families: errors, decoders and bounds for symbolic q, m, S and η."""

from gcdesign.adversary.formulas.sheet import Formula, FormulaSheet, formula_families, formula_sheet

__all__ = ["Formula", "FormulaSheet", "formula_families", "formula_sheet"]
