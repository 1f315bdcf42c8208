"""The checker of certificates: it shares no code with what finds answers.

It imports Python's standard library and itself, and computes in whole numbers and fractions. What
a certificate holds, and why each proof proves what it does, is in ``docs/certificates.md``.
"""

from gcdesign.checker.judge import Finding, Report, check
from gcdesign.checker.verdicts import CertificateError

__all__ = ["CertificateError", "Finding", "Report", "check"]
