#!/bin/sh
# Makes the font files of this folder from the packages that this script names (npm), with fonttools and brotli (pip):
# the weights that the design uses, without hints; italics in one weight, because bold ones are rare. A post loads three
# of them, text, italics and interface, which have at most 45 KB together (docs/decisions/012-what-a-page-loads.md).
set -e
LETTERS='U+0020-007E,U+00A0,U+00AD,U+00C0-00CF,U+00D1-00D6,U+00D8-00DC,U+00DF-00EF,U+00F1-00F6,U+00F8-00FC,U+0152-0153'
POINTS='U+00A1,U+00AB,U+00BB,U+00BF,U+2010-2014,U+2018-201A,U+201C-201E,U+2026,U+2039-203A'
SIGNS='U+00A3,U+00A7,U+00A9,U+00B0-00B3,U+00B7,U+00BD,U+00D7,U+2022,U+20AC,U+2122'
LATIN='U+0020-007E,U+00A0-00FF,U+0131,U+0152-0153,U+2010-2015,U+2018-201E,U+2022,U+2026,U+2032-2033,U+2039-203A,U+2044,U+20AC,U+2122,U+2212'
MARKS='U+0300-0304,U+0308-0309,U+0323'
EXT='U+0100-0130,U+0132-0151,U+0154-017F,U+018F,U+0192,U+01A0-01A1,U+01AF-01B0,U+01C4-01CC,U+01E6-01E7,U+01EA-01EB,U+01FA-021B,U+022A-022D,U+0230-0233,U+0237,U+0259,U+02B9-02BA,U+1E80-1E9F,U+2020,U+20A0-20AA,U+20AD-20BF'
VIET='U+1EA0-1EF9,U+20AB'
subset() {
  cp "../../node_modules/@fontsource-variable/$1/files/$1-$2.woff2" source.woff2
  fonttools varLib.instancer -q source.woff2 "wght=$4" -o source.ttf
  pyftsubset source.ttf --unicodes="$5" --layout-features="$6" --no-hinting --flavor=woff2 --output-file="$3.woff2"
  python3 compact.py "$3.woff2"
  rm source.woff2 source.ttf
}
SERIF='kern,liga,rvrn,mark,mkmk,ccmp,locl'
SANS='kern,tnum'
subset newsreader latin-wght-normal newsreader 400:700 "$LETTERS,$POINTS,$SIGNS" 'kern,liga'
subset newsreader latin-wght-italic newsreader-italic 400 "$LETTERS,$POINTS" 'kern,liga'
subset newsreader latin-wght-normal newsreader-signs 400:700 "$LATIN,$MARKS" "$SERIF"
subset newsreader latin-ext-wght-normal newsreader-ext 400:700 "$EXT" "$SERIF"
subset newsreader latin-ext-wght-italic newsreader-ext-italic 400 "$EXT" "$SERIF"
subset newsreader vietnamese-wght-normal newsreader-viet 400:700 "$VIET" "$SERIF"
subset newsreader vietnamese-wght-italic newsreader-viet-italic 400 "$VIET" "$SERIF"
subset inter latin-wght-normal inter 400:600 "$LETTERS,$POINTS,$SIGNS" "$SANS"
subset inter latin-wght-normal inter-signs 400:600 "$LATIN" "$SANS"
subset inter latin-ext-wght-normal inter-ext 400:600 "$EXT" "$SANS"
subset inter vietnamese-wght-normal inter-viet 400:600 "$VIET" "$SANS"
