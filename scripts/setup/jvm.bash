# shellcheck shell=bash
# The targets on the JVM, apps/jvm: one jar, target/pglab-jvm.jar, with its drivers beside it in target/lib.

# shellcheck disable=SC2034 # both are read by parts.bash and setup.sh
JVM_JAR=apps/jvm/target/pglab-jvm.jar
# shellcheck disable=SC2034
JVM_LACKS="targets jdbc, adba and vertx are skipped: they need a JDK, 17 or newer, and Maven (Debian: apt-get install openjdk-17-jdk-headless maven)"

# jvm_tools: true when there are a JDK, 17 or newer, and Maven.
jvm_tools() {
  have java && have javac && have mvn && [[ $(_jdk_version) -ge 17 ]]
}

# _jdk_version: the JDK's major version: 17 of "javac 17.0.15", 1 of "javac 1.8.0_402".
_jdk_version() { javac -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p'; }

# jvm_build: builds the jar; what Maven has fetched before is used without asking the network.
jvm_build() {
  local build=(mvn -q -B -f "$REPO_ROOT/apps/jvm/pom.xml" -Dmaven.test.skip=true package)
  "${build[@]}" --offline >/dev/null 2>&1 || "${build[@]}"
}
