package io.anser.server;

import picocli.CommandLine.IVersionProvider;

/** The version in words: that of the jar, or that there is none. */
public final class VersionText implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = VersionText.class.getPackage().getImplementationVersion();
        return new String[] {"anser " + (version == null ? "development" : version)};
    }
}
