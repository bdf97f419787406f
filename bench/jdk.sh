# For the scripts here: sets $java to the java of a JDK that is new enough, looked for where the
# launcher looks first.
java=java
for candidate in "${PATCHBAY_JAVA_HOME-}" "${JAVA_HOME-}" /usr/lib/jvm/* /opt/* /opt/java/* \
    "${HOME-}"/.sdkman/candidates/java/* "${HOME-}"/.jdks/*; do
    if [ -r "$candidate/release" ] &&
        grep -Eq '^JAVA_VERSION="(2[5-9]|[3-9][0-9])' "$candidate/release"; then
        java=$candidate/bin/java
        break
    fi
done
