package io.anser.server.settings;

/** Writes the reference page and the sample file from the catalogue. */
public final class SettingsReference {
    private final SettingsCatalog catalog;

    /** Writes about the settings of a catalogue. */
    public SettingsReference(SettingsCatalog catalog) {
        this.catalog = catalog;
    }

    /** The reference page in Markdown. */
    public String markdown() {
        StringBuilder page = new StringBuilder();
        page.append("# Settings\n\n");
        page.append(
                "Generated from the settings records; do not edit. A value is taken from the last of these that has it:\n");
        page.append(
                "the default, the file given with `-c`, the environment variable, `--set key=value`, and for a live one\n");
        page.append(
                "what was changed while the broker ran (`mqadmin updateBrokerConfig`), which stands in its log and outlives\n");
        page.append("restarts until the change is taken back with an empty value.\n");
        page.append("The variable of `store.segment-bytes` is `ANSER_STORE_SEGMENT_BYTES`, and so on.\n");
        page.append("Numbers may carry a suffix: KiB, MiB, GiB for bytes; ms, s, m, h, d for durations.\n");
        page.append(
                "An unknown key stops the start. Files that end in `.conf` or `.properties` are read as Apache's, with its names.\n\n");
        page.append("| key | type | default | unit | range | live | Apache's name | meaning |\n");
        page.append("|---|---|---|---|---|---|---|---|\n");
        for (SettingDefinition each : catalog.definitions()) {
            page.append("| `")
                    .append(each.key())
                    .append("` | ")
                    .append(each.type().words());
            page.append(" | ").append(code(each.defaultText()));
            page.append(" | ").append(each.description().unit());
            page.append(" | ").append(each.range());
            page.append(" | ").append(each.description().live() ? "yes" : "no");
            page.append(" | ").append(code(String.join(" ", each.aliases())));
            page.append(" | ").append(each.description().text()).append(" |\n");
        }
        return page.toString();
    }

    /** A settings file in YAML in which everything is commented out and shows its default. */
    public String sample() {
        StringBuilder file =
                new StringBuilder("# Every setting with its default. Remove the # in front of what you change.\n");
        for (SettingDefinition each : catalog.definitions()) {
            file.append("\n# ").append(each.description().text()).append('\n');
            String quoted = each.defaultText().isEmpty() ? "\"\"" : each.defaultText();
            file.append("#").append(each.key()).append(": ").append(quoted).append('\n');
        }
        return file.toString();
    }

    private static String code(String text) {
        return text.isEmpty() ? "" : "`" + text + "`";
    }
}
