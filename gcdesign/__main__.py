"""``python -m gcdesign`` is the console script ``gcdesign``."""

from gcdesign.cli import main

if __name__ == "__main__":
    main()
