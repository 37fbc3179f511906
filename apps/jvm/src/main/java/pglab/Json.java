package pglab;

import java.util.List;
import java.util.Map;

/** JSON as JSON.stringify writes it: no white space, the same escapes. */
final class Json {
  private Json() {}

  /** Writes null, a String, a Number (finite), a Boolean, a Map with String keys or a List of these. */
  static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(out, value);
    return out.toString();
  }

  private static void write(StringBuilder out, Object value) {
    if (value instanceof String text) {
      string(out, text);
    } else if (value instanceof Map<?, ?> map) {
      String separator = "{";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.append(separator);
        string(out, (String) entry.getKey());
        out.append(':');
        write(out, entry.getValue());
        separator = ",";
      }
      out.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof List<?> list) {
      String separator = "[";
      for (Object item : list) {
        out.append(separator);
        write(out, item);
        separator = ",";
      }
      out.append(list.isEmpty() ? "[]" : "]");
    } else {
      out.append(value);
    }
  }

  /** {"value":"..."}, the answer of /echo. */
  static String echo(String value) {
    StringBuilder out = new StringBuilder(value.length() + 12).append("{\"value\":");
    string(out, value);
    return out.append('}').toString();
  }

  /** [{"status","year","orders","total"}, ...], the answer of /analytics. */
  static String analytics(List<Database.AnalyticsRow> rows) {
    StringBuilder out = new StringBuilder(64 * rows.size() + 2).append('[');
    for (Database.AnalyticsRow row : rows) {
      if (out.length() > 1) out.append(',');
      out.append("{\"status\":");
      string(out, row.status());
      out.append(",\"year\":").append(row.year()).append(",\"orders\":").append(row.orders()).append(",\"total\":");
      string(out, row.total());
      out.append('}');
    }
    return out.append(']').toString();
  }

  private static void string(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < ' ') out.append(String.format("\\u%04x", (int) c));
          else out.append(c);
        }
      }
    }
    out.append('"');
  }
}
