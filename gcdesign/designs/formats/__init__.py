"""Files: everything that is read becomes a design or a matrix, and designs are written.

`FORMATS` declares each format once. The choices of ``export``, the suffixes that are read and
the reference page all come from it.
"""

from gcdesign.designs.formats.matrices import matrix_to_design, read_matrix
from gcdesign.designs.formats.reading import guess_kind, load_file, read, read_file
from gcdesign.designs.formats.table import FORMATS, Format, encode
from gcdesign.designs.formats.writing import write_file

__all__ = [
    "FORMATS",
    "Format",
    "encode",
    "guess_kind",
    "load_file",
    "matrix_to_design",
    "read",
    "read_file",
    "read_matrix",
    "write_file",
]
