package pglab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  private static final Map<String, String> NEEDED = Map.of("PGHOST", "h", "PGUSER", "u", "PGDATABASE", "d");

  private static final Tls NO_TLS = new Tls("", null, null, null, "");

  private static Settings with(String name, String value) {
    Map<String, String> env = new HashMap<>(NEEDED);
    env.put(name, value);
    return Settings.read("jdbc", env);
  }

  @Test
  void hasTheDefaultsOfTheOtherTargets() {
    Settings defaults = new Settings("jdbc", "127.0.0.1", 3000, "h", 5432, "u", "", "d", 10, false, "jdbc", "", 60, NO_TLS);
    assertEquals(defaults, Settings.read("jdbc", NEEDED));
    assertEquals(10, with("POOL_SIZE", "").poolSize());
  }

  @Test
  void oneConnectionWhenShared() {
    assertTrue(with("SHARED", "1").shared());
    assertFalse(with("SHARED", "0").shared());
    assertEquals(1, with("SHARED", "1").connections());
    assertEquals(3, with("POOL_SIZE", "3").connections());
  }

  @ParameterizedTest
  @CsvSource({
    "POOL_SIZE, 0, from 1 to 1000",
    "POOL_SIZE, 1001, from 1 to 1000",
    "POOL_SIZE, 99999999999, from 1 to 1000",
    "POOL_SIZE, ten, from 1 to 1000",
    "POOL_SIZE, 1.5, from 1 to 1000",
    "PORT, -1, from 1 to 65535",
    "PGPORT, 65536, from 1 to 65535",
    "SHARED, 2, from 0 to 1"
  })
  void refusesWhatIsNotAWholeNumberInRange(String name, String value, String rule) {
    Fault fault = assertThrows(Fault.class, () -> with(name, value));
    assertEquals(64, fault.exitCode);
    assertEquals(name + " is \"" + value + "\": must be a whole number " + rule, fault.getMessage());
  }

  @Test
  void refusesAVariantThatSetsWhatIsNotRead() {
    Fault fault = assertThrows(Fault.class, () -> with("SETTINGS", "POOL_SIZE POOLSIZE"));
    assertEquals(64, fault.exitCode);
    assertTrue(fault.getMessage().startsWith("target.json or the variant sets POOLSIZE, which this target does not read"), fault.getMessage());
    assertEquals(10, with("SETTINGS", "POOL_SIZE SHARED PGOPTIONS PGCONNECT_TIMEOUT").poolSize());
    assertThrows(Fault.class, () -> with("SETTINGS", "PGFOO"));
  }

  @ParameterizedTest
  @CsvSource({"PGHOST", "PGUSER", "PGDATABASE"})
  void namesTheVariableThatIsMissing(String name) {
    Fault fault = assertThrows(Fault.class, () -> with(name, ""));
    assertEquals(64, fault.exitCode);
    assertEquals(name + " is not set: it is needed, see apps/jvm/README.md", fault.getMessage());
  }
}
