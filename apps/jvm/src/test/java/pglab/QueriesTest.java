package pglab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** All targets ask the same SQL: what stands in apps/lib/queries.js stands here, letter by letter. */
class QueriesTest {
  private static final Path SOURCE = Path.of("../lib/queries.js"); // Maven runs tests in the module's folder

  private static String inNode(String name) throws IOException {
    Pattern constant = Pattern.compile("export const " + name + " =\\s*(['`])(.*?)\\1;", Pattern.DOTALL);
    Matcher matcher = constant.matcher(Files.readString(SOURCE));
    assertTrue(matcher.find(), () -> SOURCE + " has no " + name);
    return matcher.group(2);
  }

  @Test
  void areThoseOfTheNodeTargets() throws IOException {
    assertEquals(inNode("echo"), Queries.ECHO);
    assertEquals(inNode("analytics"), Queries.ANALYTICS);
    assertEquals(inNode("ping"), Queries.PING);
  }
}
