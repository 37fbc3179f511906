package pglab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void escapesWhatJsonStringifyEscapesAndNothingElse() {
    assertEquals("\"a\\\"b\\\\c/d\"", Json.write("a\"b\\c/d"));
    assertEquals("\"\\b\\f\\n\\r\\t\\u0000\\u0001\\u001f\"", Json.write("\b\f\n\r\t\0\u0001\u001f"));
    assertEquals("\"\u007f\u2028é😀\"", Json.write("\u007f\u2028é😀"));
    assertEquals("{\"value\":\"\\\"\"}", Json.echo("\""));
  }

  @Test
  void writesMapsInTheirOrderListsNumbersAndNull() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("b", 1L);
    map.put("a", null);
    map.put("c", List.of(1.5, true, List.of(), Map.of()));
    assertEquals("{\"b\":1,\"a\":null,\"c\":[1.5,true,[],{}]}", Json.write(map));
  }

  @Test
  void writesNoRowsAsAnEmptyArray() {
    assertEquals("[]", Json.analytics(Collections.emptyList()));
  }
}
