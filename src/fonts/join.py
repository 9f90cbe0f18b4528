"""Puts the italics of a font beside its upright letters: `python join.py UPRIGHT ITALIC`, into the first. The feature
`ital` brings them up, as OpenType means it to, so that a text with italics is one file."""
import sys
from fontTools.otlLib.builder import buildSingleSubstSubtable
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables import otTables

SUFFIX = ".ital"


def feature(table, tag):
    return [r.Feature for r in table.FeatureList.FeatureRecord if r.FeatureTag == tag]


def renamed(subtable, names):
    """A substitution or kerning of classes with the italics' names."""
    if hasattr(subtable, "ExtSubTable"):
        subtable = subtable.ExtSubTable
    if hasattr(subtable, "Coverage"):
        subtable.Coverage.glyphs = [names[g] for g in subtable.Coverage.glyphs]
    for each in ("ClassDef1", "ClassDef2"):
        if hasattr(subtable, each):
            definition = getattr(subtable, each)
            definition.classDefs = {names[g]: c for g, c in definition.classDefs.items()}
    if hasattr(subtable, "ligatures"):
        subtable.ligatures = {names[g]: ligatures for g, ligatures in subtable.ligatures.items()}
        for ligatures in subtable.ligatures.values():
            for ligature in ligatures:
                ligature.Component = [names[g] for g in ligature.Component]
                ligature.LigGlyph = names[ligature.LigGlyph]
    return subtable


def main(path, italic_path):
    font, italic = TTFont(path), TTFont(italic_path)
    font.ensureDecompiled()
    italic.ensureDecompiled()
    names = {glyph: glyph + SUFFIX for glyph in italic.getGlyphOrder() if glyph != ".notdef"}
    upright = set(font.getGlyphOrder())
    glyf, source = font["glyf"], italic["glyf"]
    italics = {}
    for glyph, name in names.items():
        outline = source[glyph]
        outline.expand(source)
        if outline.isComposite():
            for part in outline.components:
                part.glyphName = names[part.glyphName]
        italics[name] = (outline, italic["hmtx"][glyph])
    for name, (outline, metrics) in italics.items():
        glyf[name] = outline
        font["hmtx"].metrics[name] = metrics
        font["gvar"].variations[name] = []
    font.setGlyphOrder(font.getGlyphOrder())
    # Widths of the italics do not vary, and `gvar` says those of the others.
    del font["HVAR"]

    gsub = font["GSUB"].table
    lookup = otTables.Lookup()
    lookup.LookupType, lookup.LookupFlag = 1, 0
    shared = {glyph: name for glyph, name in names.items() if glyph in upright and glyph != ".notdef"}
    lookup.SubTable, lookup.SubTableCount = [buildSingleSubstSubtable(shared)], 1
    # First of all, so that ligatures are those of the italics.
    for record in gsub.FeatureList.FeatureRecord:
        record.Feature.LookupListIndex = [i + 1 for i in record.Feature.LookupListIndex]
    if getattr(gsub, "FeatureVariations", None):
        for record in gsub.FeatureVariations.FeatureVariationRecord:
            for other in record.FeatureTableSubstitution.SubstitutionRecord:
                other.Feature.LookupListIndex = [i + 1 for i in other.Feature.LookupListIndex]
    gsub.LookupList.Lookup.insert(0, lookup)
    for each in feature(italic["GSUB"].table, "liga")[:1]:
        for index in each.LookupListIndex:
            for subtable in italic["GSUB"].table.LookupList.Lookup[index].SubTable:
                target = gsub.LookupList.Lookup[feature(gsub, "liga")[0].LookupListIndex[0]]
                ours = target.SubTable[0]
                (getattr(ours, "ExtSubTable", ours)).ligatures.update(renamed(subtable, names).ligatures)
    gsub.LookupList.LookupCount = len(gsub.LookupList.Lookup)
    added = otTables.FeatureRecord()
    added.FeatureTag, added.Feature = "ital", otTables.Feature()
    added.Feature.FeatureParams, added.Feature.LookupListIndex, added.Feature.LookupCount = None, [0], 1
    gsub.FeatureList.FeatureRecord.append(added)
    number = len(gsub.FeatureList.FeatureRecord) - 1
    for script in gsub.ScriptList.ScriptRecord:
        for system in [script.Script.DefaultLangSys, *(r.LangSys for r in script.Script.LangSysRecord)]:
            if system:
                system.FeatureIndex.append(number)
                system.FeatureCount = len(system.FeatureIndex)
    gsub.FeatureList.FeatureCount = number + 1

    kerning = font["GPOS"].table.LookupList.Lookup[feature(font["GPOS"].table, "kern")[0].LookupListIndex[0]]
    theirs = italic["GPOS"].table
    for index in feature(theirs, "kern")[0].LookupListIndex:
        kerning.SubTable += [renamed(t, names) for t in theirs.LookupList.Lookup[index].SubTable]
    kerning.SubTableCount = len(kerning.SubTable)
    font.flavor = "woff2"
    font.save(path)


main(*sys.argv[1:])
