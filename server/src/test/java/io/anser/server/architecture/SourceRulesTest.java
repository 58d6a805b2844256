package io.anser.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** Rules of the house that only the source text shows, over the sources of all modules. */
class SourceRulesTest {
    private static final Pattern OWNER = Pattern.compile("Owned by the `?(?:\\{@code )?([a-z0-9*-]+)[`}]? thread");

    @Test
    void publicTypesAndMethodsHaveJavadoc() throws IOException {
        List<String> missing = new ArrayList<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, files, null, List.of(), null, files.getJavaFileObjectsFromPaths(sources("src/main/java")));
            DocTrees docs = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                new UndocumentedScanner(unit, docs, missing).scan(unit, null);
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void everyPackageIsDescribed() throws IOException {
        List<Path> missing = sources("src/main/java").stream()
                .map(Path::getParent)
                .distinct()
                .filter(folder -> !Files.exists(folder.resolve("package-info.java")))
                .toList();
        assertThat(missing).isEmpty();
    }

    @Test
    void ownersAreThreadsOfTheTable() throws IOException {
        List<String> threads = ArchitecturePage.read().threads();
        List<String> unknown = new ArrayList<>();
        for (Path source : sources("src/main/java")) {
            Matcher owner = OWNER.matcher(Files.readString(source));
            while (owner.find()) {
                if (!threads.contains(owner.group(1))) {
                    unknown.add(source + ": " + owner.group(1));
                }
            }
        }
        assertThat(unknown)
                .as("owners that are not in the thread table, which has %s", threads)
                .isEmpty();
    }

    @Test
    void testsDoNotSleep() throws IOException {
        List<Path> sleepers = new ArrayList<>();
        for (Path source : sources("src/test/java")) {
            if (Files.readString(source).contains("Thread" + ".sleep(")) {
                sleepers.add(source);
            }
        }
        assertThat(sleepers).isEmpty();
    }

    private static List<Path> sources(String folder) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ArchitecturePage.root())) {
            for (Path module : modules.filter(Files::isDirectory).sorted().toList()) {
                if (Files.isDirectory(module.resolve(folder))) {
                    try (Stream<Path> files = Files.walk(module.resolve(folder))) {
                        files.filter(file -> file.toString().endsWith(".java")).forEach(found::add);
                    }
                }
            }
        }
        return found;
    }

    /** Visits public types and, in them, public methods that declare something new. */
    private static final class UndocumentedScanner extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final DocTrees docs;
        private final List<String> missing;

        UndocumentedScanner(CompilationUnitTree unit, DocTrees docs, List<String> missing) {
            this.unit = unit;
            this.docs = docs;
            this.missing = missing;
        }

        @Override
        public Void visitClass(ClassTree type, Void nothing) {
            if (!isPublic(type.getModifiers())) {
                return null;
            }
            check(type, type.getSimpleName().toString());
            return super.visitClass(type, null);
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            boolean constructor = method.getReturnType() == null;
            boolean overrides = method.getModifiers().getAnnotations().stream()
                    .anyMatch(annotation ->
                            annotation.getAnnotationType().toString().equals("Override"));
            if (isPublic(method.getModifiers()) && !constructor && !overrides) {
                check(method, method.getName() + "()");
            }
            return null;
        }

        /** Members of an interface are public without saying so. */
        private boolean isPublic(ModifiersTree modifiers) {
            Tree around = getCurrentPath().getParentPath().getLeaf();
            boolean inInterface =
                    around.getKind() == Tree.Kind.INTERFACE || around.getKind() == Tree.Kind.ANNOTATION_TYPE;
            return modifiers.getFlags().contains(Modifier.PUBLIC)
                    || (inInterface && !modifiers.getFlags().contains(Modifier.PRIVATE));
        }

        private void check(Tree declaration, String name) {
            if (docs.getDocComment(getCurrentPath()) == null) {
                long line = unit.getLineMap()
                        .getLineNumber(docs.getSourcePositions().getStartPosition(unit, declaration));
                Path file = Path.of(unit.getSourceFile().toUri());
                missing.add(ArchitecturePage.root().relativize(file) + ":" + line + " " + name);
            }
        }
    }
}
