package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.SourcePlaces;
import java.io.StringReader;
import java.util.MissingResourceException;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Checks a payload in XML: well-formed, no document type, and references where they have to be. */
final class XmlPayload {
  private static final XMLInputFactory FACTORY = factory();

  private final String text;
  private final Strictness strictness;

  XmlPayload(String text, Strictness strictness) {
    this.text = text;
    this.strictness = strictness;
  }

  private static XMLInputFactory factory() {
    var factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    return factory;
  }

  void check() {
    try {
      if (wellFormed(FACTORY.createXMLStreamReader(new StringReader(text)))) {
        new XmlLeaves(text, strictness).check();
      }
    } catch (XMLStreamException e) {
      strictness.malformed(text, offset(e.getLocation()), "from here on this is not XML");
    } catch (MissingResourceException _) {
      // The JDK has no words for some mistakes in a document type, and no place of them either.
      strictness.malformed(text, 0, "this is not XML");
    }
  }

  private boolean wellFormed(XMLStreamReader reader) throws XMLStreamException {
    int depth = 0;
    while (reader.hasNext()) {
      switch (reader.next()) {
        case XMLStreamConstants.START_ELEMENT -> depth++;
        case XMLStreamConstants.END_ELEMENT -> depth--;
        case XMLStreamConstants.DTD -> {
          strictness.malformed(
              text, Math.max(0, text.indexOf("<!")), "a payload has no document type");
          return false;
        }
        default -> {}
      }
      if (depth > PromptBounds.PAYLOAD_NESTING) {
        strictness.tooDeep(offset(reader.getLocation()));
        return false;
      }
    }
    return true;
  }

  private int offset(@Nullable Location location) {
    return location == null
        ? 0
        : new SourcePlaces(text).start(Math.max(0, location.getLineNumber() - 1))
            + Math.max(0, location.getColumnNumber() - 1);
  }
}
