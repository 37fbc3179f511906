# shellcheck shell=bash
# The targets on the JVM, apps/jvm: one jar, target/pglab-jvm.jar, with its drivers beside it in target/lib.

JVM_MODULE=$REPO_ROOT/apps/jvm
JVM_JAR=$JVM_MODULE/target/pglab-jvm.jar

# jvm_available: true when there are a JDK, 17 or newer, and Maven.
jvm_available() {
  have java && have javac && have mvn && [[ $(_jdk_version) -ge 17 ]]
}

# _jdk_version: the JDK's major version: 17 of "javac 17.0.15", 1 of "javac 1.8.0_402".
_jdk_version() { javac -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p'; }

# jvm_built: true when the jar is there and no source is newer.
jvm_built() {
  [[ -f $JVM_JAR && -z $(find "$JVM_MODULE/pom.xml" "$JVM_MODULE/src/main" -type f -newer "$JVM_JAR") ]]
}

# jvm_build: builds the jar unless that is done; what Maven has fetched before is used without asking the network.
# Without a JDK or Maven it says so in one line, and does nothing. Status 1 when the build fails.
jvm_build() {
  if ! jvm_available; then
    log "targets jdbc, adba and vertx are skipped: they need a JDK, 17 or newer, and Maven" \
      "(Debian: apt-get install openjdk-17-jdk-headless maven)"
    return
  fi
  jvm_built && return
  log "building apps/jvm"
  local build=(mvn -q -B -f "$JVM_MODULE/pom.xml" -Dmaven.test.skip=true package)
  "${build[@]}" --offline >/dev/null 2>&1 || "${build[@]}" >&2
}
