"""A report: one HTML file that needs nothing else, for a person to read and to send on."""

from gcdesign.figures.report.page import report_html

__all__ = ["report_html"]
