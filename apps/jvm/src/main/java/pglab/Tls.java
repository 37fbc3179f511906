package pglab;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Map;

/**
 * What libpq's variables ask of TLS. mode: disable, require, verify-ca or verify-full, empty when unset; files are null where there
 * is none. channelBinding: empty when unset.
 */
record Tls(String mode, String rootCert, String cert, String key, String channelBinding) {
  /** From PGSSLMODE and its kin; files that are not named are libpq's own in ~/.postgresql. Throws a Fault (64). */
  static Tls read(Map<String, String> env) {
    String mode = env.getOrDefault("PGSSLMODE", "");
    boolean none = mode.isEmpty() || mode.equals("disable") || env.getOrDefault("PGHOST", "").startsWith("/");
    if (none) return new Tls(mode.isEmpty() ? "" : "disable", null, null, null, "");
    String root = file(env, "PGSSLROOTCERT", "root.crt");
    if (root == null && mode.startsWith("verify")) {
      throw new Fault(64, "PGSSLMODE is " + mode + ": that takes a root certificate, PGSSLROOTCERT or ~/.postgresql/root.crt");
    }
    // as in libpq, a root certificate that is there is used
    String effective = mode.equals("require") && root != null ? "verify-ca" : mode;
    String cert = file(env, "PGSSLCERT", "postgresql.crt");
    String key = cert == null ? null : file(env, "PGSSLKEY", "postgresql.key");
    return new Tls(effective, root, cert, key, env.getOrDefault("PGCHANNELBINDING", ""));
  }

  boolean enabled() {
    return !mode.isEmpty() && !mode.equals("disable");
  }

  /** The algorithm of the client's key, RSA or EC: its certificate tells. */
  String keyAlgorithm() {
    try (InputStream pem = Files.newInputStream(Path.of(cert))) {
      return CertificateFactory.getInstance("X.509").generateCertificate(pem).getPublicKey().getAlgorithm();
    } catch (IOException | CertificateException error) {
      throw new Fault(64, "PGSSLCERT is " + Json.write(cert) + ": " + error.getMessage());
    }
  }

  private static String file(Map<String, String> env, String variable, String name) {
    String given = env.getOrDefault(variable, "");
    Path own = Path.of(System.getProperty("user.home"), ".postgresql", name);
    if (given.isEmpty()) return Files.exists(own) ? own.toString() : null;
    if (!Files.isReadable(Path.of(given))) throw new Fault(64, variable + " is " + Json.write(given) + ": it cannot be read");
    return given;
  }
}
