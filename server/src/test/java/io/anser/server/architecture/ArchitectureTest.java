package io.anser.server.architecture;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the arrows of {@code ARCHITECTURE.md} against the compiled classes of all modules. */
class ArchitectureTest {
    private static final String ROOT = "io.anser.";

    /** Packages of the broker that every feature may use, and that use no feature. */
    private static final Set<String> SHARED_IN_BROKER = ArchitecturePage.read().sharedInBroker();

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.anser");

    private static final Map<String, Set<String>> MODULES =
            ArchitecturePage.read().modules();

    static Stream<String> modules() {
        return MODULES.keySet().stream();
    }

    @Test
    void moduleTableListsEveryModule() throws IOException {
        try (Stream<java.nio.file.Path> folders = Files.list(ArchitecturePage.root())) {
            List<String> withCode = folders.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .filter(folder -> Files.exists(folder.resolve("src/main/java")))
                    .map(folder -> folder.getFileName().toString())
                    .toList();
            assertThat(MODULES.keySet()).containsExactlyInAnyOrderElementsOf(withCode);
        }
    }

    @ParameterizedTest
    @MethodSource("modules")
    void moduleUsesOnlyWhatItMayUse(String module) {
        Set<String> forbidden = new TreeSet<>(MODULES.keySet());
        forbidden.remove(module);
        forbidden.removeAll(MODULES.get(module));
        if (forbidden.isEmpty()) {
            return;
        }
        noClasses()
                .that()
                .resideInAPackage(ROOT + module + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        forbidden.stream().map(other -> ROOT + other + "..").toArray(String[]::new))
                .because("ARCHITECTURE.md lets " + module + " use only " + MODULES.get(module))
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void packagesOfModuleHaveNoCycles(String module) {
        slices().assignedFrom(packagesOf(module))
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    /** One slice per package, so that a class of the root package counts as one of its own. */
    private static SliceAssignment packagesOf(String module) {
        return new SliceAssignment() {
            @Override
            public String getDescription() {
                return "packages of " + module;
            }

            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                String name = type.getPackageName();
                return name.equals(ROOT + module) || name.startsWith(ROOT + module + ".")
                        ? SliceIdentifier.of(name)
                        : SliceIdentifier.ignore();
            }
        };
    }

    @Test
    void everyClassIsInAModule() {
        classes()
                .should()
                .resideInAnyPackage(MODULES.keySet().stream()
                        .map(module -> ROOT + module + "..")
                        .toArray(String[]::new))
                .check(CLASSES);
    }

    @ParameterizedTest
    @MethodSource("brokerFeatures")
    void brokerFeatureUsesNoOtherFeature(String feature) {
        List<String> others = new ArrayList<>(brokerPackages());
        others.remove(feature);
        others.removeAll(SHARED_IN_BROKER);
        if (others.isEmpty()) {
            return;
        }
        noClasses()
                .that()
                .resideInAPackage(ROOT + "broker." + feature + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others.stream()
                        .map(other -> ROOT + "broker." + other + "..")
                        .toArray(String[]::new))
                .because("features share only " + SHARED_IN_BROKER)
                .check(CLASSES);
    }

    /** The features and the shared packages; without either, the root package stands in so that the test is never empty. */
    static List<String> brokerFeatures() {
        List<String> packages = brokerPackages();
        return packages.isEmpty() ? List.of("none") : packages;
    }

    private static List<String> brokerPackages() {
        String broker = ROOT + "broker.";
        return CLASSES.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> name.startsWith(broker))
                .map(name -> name.substring(broker.length()).split("\\.")[0])
                .distinct()
                .sorted()
                .toList();
    }

    @Test
    void onlySystemPackagesReadTheClock() {
        noClasses()
                .that(areOutsideSystemPackages())
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Instant.class, "now")
                .because("time comes from an injected clock")
                .check(CLASSES);
    }

    @Test
    void onlySystemPackagesSleepAndStartThreads() {
        noClasses()
                .that(areOutsideSystemPackages())
                .should()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(Thread.class, "sleep", long.class, int.class)
                .orShould()
                .callConstructorWhere(target(owner(assignableTo(Thread.class))))
                .because("waiting comes from an injected scheduler, and threads have a name and a fault handler")
                .check(CLASSES);
    }

    @Test
    void chanceIsSeeded() {
        noClasses()
                .that(areOutsideSystemPackages())
                .should()
                .callConstructor(Random.class)
                .orShould()
                .callMethod(Math.class, "random")
                .because("chance comes from an injected, seeded source")
                .check(CLASSES);
    }

    @Test
    void nettyStaysInTheModulesOfTheNetwork() {
        noClasses()
                .that()
                .resideInAnyPackage(ROOT + "protocol..", ROOT + "store..", ROOT + "system..")
                .should()
                .dependOnClassesThat(resideInAPackage("io.netty.."))
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    private static DescribedPredicate<JavaClass> areOutsideSystemPackages() {
        return DescribedPredicate.describe(
                "are outside packages named system",
                type -> !type.getPackageName().matches(".*\\.system(\\..*)?"));
    }
}
