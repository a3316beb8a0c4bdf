#!/usr/bin/env bash
# Makes the picture and the chart at the top of README.md: a comparison sheet of a picture made by code,
# and quality against speed from the tables of docs/performance.md; and the chart of docs/choosing.md.
# usage: readme_images.sh TESSERA
# Needs ImageMagick, which takes the sheet to 256 colours: a third of the bytes.
set -euo pipefail
tessera=$(realpath "$1")
cd "$(dirname "$0")/.."
images=$PWD/docs/images
python3 bench/plot_speed.py docs/performance.md "$images/astc_speed.svg" astc-4x4 astc-6x6 astc-8x8
python3 bench/plot_choices.py tests/astc_encode/golden_psnr.csv "$images/choices.svg"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$tessera" sample --size 320x180 -o original.png --quiet
"$tessera" encode original.png -o astc-8x8.ktx2 --block 8x8 --preset thorough --quiet
"$tessera" compare original.png astc-8x8.ktx2 --sheet sheet.png --quiet
convert sheet.png -dither None -colors 256 -define png:compression-level=9 "PNG8:$images/sheet.png"
