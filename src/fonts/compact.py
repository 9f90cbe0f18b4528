"""Makes a font file smaller without a visible difference: `python compact.py FONT`, in place.

Kerning, which was two fifths of the files: drops pairs that move by less than 1/125 em, and rounds the others to
1/250 em, with the lightest weight's value for all weights. Letters with almost the same kerning share a class.

Outlines: rounds coordinates to 1/1000 em, and drops a point's variation by weight if interpolation between its
neighbours (OpenType's IUP) comes within 2/1000 em of it, a tenth of a pixel in the largest headline.

Tables: drops those that repeat others (widths by weight) or that browsers do not read."""
import sys
from collections import defaultdict
from fontTools import subset  # noqa: F401  Gives tables `prune_lookups`.
from fontTools.otlLib.builder import buildPairPosClassesSubtable
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem
from fontTools.ttLib.tables import otBase, otTables
from fontTools.varLib.iup import iup_delta_optimize

LEAST, STEP, ALIKE = 1 / 125, 1 / 250, 1 / 125
EM, TOLERANCE = 1000, 2
FAMILY, STYLE = 1, 2


def pairs_of(subtables, glyphs):
    """Returns (left, right) -> advance, from the first subtable that covers the pair."""
    found = {}
    for table in subtables:
        if table.LookupType == 9:
            table = table.ExtSubTable
        covered = [glyph for glyph in table.Coverage.glyphs if glyph in glyphs]
        if table.Format == 1:
            sets = dict(zip(table.Coverage.glyphs, table.PairSet))
            for left in covered:
                for record in sets[left].PairValueRecord:
                    value = getattr(record.Value1, "XAdvance", 0)
                    found.setdefault((left, record.SecondGlyph), value)
        else:
            first, second = table.ClassDef1.classDefs, table.ClassDef2.classDefs
            for left in covered:
                row = table.Class1Record[first.get(left, 0)].Class2Record
                for right in glyphs:
                    record = row[second.get(right, 0)].Value1
                    found.setdefault((left, right), getattr(record, "XAdvance", 0))
    return found


def classes(rows, alike):
    """Groups keys whose rows differ by at most `alike` from the group's first row; returns each group with that row."""
    groups = []
    for key, row in rows.items():
        for group in groups:
            other = group[1]
            if all(abs(row.get(k, 0) - other.get(k, 0)) <= alike for k in row.keys() | other.keys()):
                group[0].append(key)
                break
        else:
            groups.append(([key], row))
    return groups


def compact_kerning(font):
    em, glyphs = font["head"].unitsPerEm, font.getGlyphOrder()
    gpos = font["GPOS"].table
    indices = {i for f in gpos.FeatureList.FeatureRecord if f.FeatureTag == "kern" for i in f.Feature.LookupListIndex}
    if not indices:
        return
    lookups = gpos.LookupList.Lookup
    rows = defaultdict(dict)
    seen = {}
    for index in sorted(indices):
        for pair, value in pairs_of(lookups[index].SubTable, glyphs).items():
            seen.setdefault(pair, value)
    for (left, right), value in seen.items():
        if abs(value) >= LEAST * em:
            rows[left][right] = round(round(value / em / STEP) * STEP * em)
    rights = defaultdict(dict)
    lefts = classes(rows, ALIKE * em)
    for n, (_, row) in enumerate(lefts):
        for right, value in row.items():
            rights[right][n] = value
    columns = classes(rights, ALIKE * em)
    pairs = {}
    for n, (left, _) in enumerate(lefts):
        for right, column in columns:
            if column.get(n):
                value = otBase.ValueRecord()
                value.XAdvance = column[n]
                pairs[tuple(left), tuple(right)] = (value, None)
    table = buildPairPosClassesSubtable(pairs, font.getReverseGlyphMap())
    keep = sorted(indices)[0]
    lookup = otTables.Lookup()
    lookup.LookupType, lookup.LookupFlag, lookup.SubTable, lookup.SubTableCount = 2, lookups[keep].LookupFlag, [table], 1
    lookups[keep] = lookup
    for record in gpos.FeatureList.FeatureRecord:
        if record.FeatureTag == "kern":
            record.Feature.LookupListIndex, record.Feature.LookupCount = [keep], 1
    font["GPOS"].prune_lookups()


def compact_outlines(font):
    scale_upem(font, EM)
    if "gvar" not in font:
        return
    glyf, variations = font["glyf"], font["gvar"].variations
    for glyph, each in variations.items():
        points, control = glyf._getCoordinatesAndControls(glyph, font["hmtx"].metrics)
        for variation in each:
            variation.calcInferredDeltas(points, control.endPts)
            variation.roundDeltas()
            variation.coordinates = iup_delta_optimize(variation.coordinates, points, control.endPts, TOLERANCE)
        variations[glyph] = [variation for variation in each if variation.hasImpact()]


def drop_tables(font):
    for table in ("HVAR", "MVAR", "STAT", "gasp"):
        if table in font:
            del font[table]
    font["name"].names = [name for name in font["name"].names if name.nameID in (FAMILY, STYLE)]


def main(path):
    font = TTFont(path, recalcTimestamp=False)
    font.ensureDecompiled()
    # Makes the output reproducible.
    font["head"].modified = font["head"].created
    if "GPOS" in font:
        compact_kerning(font)
    compact_outlines(font)
    drop_tables(font)
    font.flavor = "woff2"
    font.save(path)


main(sys.argv[1])
