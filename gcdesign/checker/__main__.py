"""``python -m gcdesign.checker CERT``: check a certificate with the standard library alone."""

from __future__ import annotations

import sys

from gcdesign.checker.judge import check
from gcdesign.checker.verdicts import CertificateError


def main(arguments: list[str]) -> int:
    """Check one file; print what was found; return the exit code of ``gcdesign verify``."""
    if len(arguments) != 1:
        print("usage: python -m gcdesign.checker CERT", file=sys.stderr)
        return 2
    try:
        report = check(arguments[0])
    except CertificateError as error:
        print(f"{arguments[0]}: {error}", file=sys.stderr)
        return 2
    for finding in report.findings:
        print(f"{finding.place}: {finding.text}: {finding.status}")
        for reason in finding.rests_on:
            print(f"  rests on {reason}")
    for problem in report.problems:
        print(f"refused: {problem}")
    print(report.status)
    return 1 if report.status == "refused" else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
