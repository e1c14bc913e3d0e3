"""Paint the embedded people's skin and keep it with them, small enough for a package; for when the painter changed."""

from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from facewright.samples.head import people
from facewright.samples.skin.embedded import FOLDER, MASK, SIZE
from facewright.samples.skin.expressions import EXPRESSIONS
from facewright.samples.skin.paint import NEUTRAL, Painter

TARGET = Path(__file__).resolve().parents[1] / "src" / "facewright" / "samples" / FOLDER
QUALITY = 82


def main() -> None:
    for person in people():
        paint = Painter(SIZE, person)
        folder = TARGET / person
        folder.mkdir(parents=True, exist_ok=True)
        for name in (NEUTRAL, *EXPRESSIONS):
            (folder / f"{name}.webp").write_bytes(_webp(paint(name)))
        (folder / f"{MASK}.webp").write_bytes(_webp(paint.mask()))
    print(f"{sum(file.stat().st_size for file in TARGET.rglob('*.webp')) >> 10} KB")


def _webp(picture: np.ndarray) -> bytes:
    buffer = BytesIO()
    Image.fromarray(picture).save(buffer, "WEBP", quality=QUALITY, method=6)
    return buffer.getvalue()


if __name__ == "__main__":
    main()
