#!/bin/sh
# Makes the font files in this folder from the npm packages named below, with fonttools and brotli (pip): the weights
# that the design uses, without hints, and italics in one weight, because bold italics are rare. A post loads three
# files of a font pair (text, italics, interface), at most 45 KB together (docs/decisions/012-what-a-page-loads.md).
# The pairs are listed in blog/theme/font-pairs.ts.
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
text() {
  subset "$1" latin-wght-normal "$2" "$3" "$LETTERS,$POINTS,$SIGNS" 'kern,liga'
  subset "$1" latin-wght-italic "$2-italic" 400 "$LETTERS,$POINTS" 'kern,liga'
  subset "$1" latin-wght-normal "$2-signs" "$3" "$LATIN,$MARKS" "$SERIF"
  subset "$1" latin-ext-wght-normal "$2-ext" "$3" "$EXT" "$SERIF"
  subset "$1" latin-ext-wght-italic "$2-ext-italic" 400 "$EXT" "$SERIF"
  subset "$1" vietnamese-wght-normal "$2-viet" "$3" "$VIET" "$SERIF"
  subset "$1" vietnamese-wght-italic "$2-viet-italic" 400 "$VIET" "$SERIF"
}
interface() {
  subset "$1" latin-wght-normal "$2" 400:600 "$LETTERS,$POINTS,$SIGNS" "$SANS"
  subset "$1" latin-wght-normal "$2-signs" 400:600 "$LATIN" "$SANS"
  subset "$1" latin-ext-wght-normal "$2-ext" 400:600 "$EXT" "$SANS"
  subset "$1" vietnamese-wght-normal "$2-viet" 400:600 "$VIET" "$SANS"
}
text newsreader newsreader 400:700
interface inter inter
text brygada-1918 brygada 400:700
interface cabin cabin
text bitter bitter 400:700
interface jetbrains-mono jetbrains
text hanken-grotesk hanken 400:700
