package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.SourceSpanLocator;
import java.io.StringReader;
import java.util.MissingResourceException;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Checks a payload in XML: well-formed, no document type, and references where they are required.
 */
final class XmlPayloadCheck {
  private static final XMLInputFactory FACTORY = factory();

  private final String text;
  private final PayloadDiagnostics payloadDiagnostics;

  XmlPayloadCheck(String text, PayloadDiagnostics payloadDiagnostics) {
    this.text = text;
    this.payloadDiagnostics = payloadDiagnostics;
  }

  private static XMLInputFactory factory() {
    var factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    return factory;
  }

  void check() {
    try {
      if (isWellFormed(FACTORY.createXMLStreamReader(new StringReader(text)))) {
        new XmlLeafScanner(text, payloadDiagnostics).check();
      }
    } catch (XMLStreamException e) {
      payloadDiagnostics.reportMalformed(
          text, offset(e.getLocation()), "from here on this is not XML");
    } catch (MissingResourceException _) {
      // The JDK's message for some errors in a document type has no text and no position.
      payloadDiagnostics.reportMalformed(text, 0, "this is not XML");
    }
  }

  private boolean isWellFormed(XMLStreamReader reader) throws XMLStreamException {
    int depth = 0;
    while (reader.hasNext()) {
      switch (reader.next()) {
        case XMLStreamConstants.START_ELEMENT -> depth++;
        case XMLStreamConstants.END_ELEMENT -> depth--;
        case XMLStreamConstants.DTD -> {
          payloadDiagnostics.reportMalformed(
              text, Math.max(0, text.indexOf("<!")), "a payload has no document type");
          return false;
        }
        default -> {}
      }
      if (depth > PromptBounds.PAYLOAD_NESTING) {
        payloadDiagnostics.reportTooDeep(offset(reader.getLocation()));
        return false;
      }
    }
    return true;
  }

  private int offset(@Nullable Location location) {
    return location == null
        ? 0
        : new SourceSpanLocator(text).lineStart(Math.max(0, location.getLineNumber() - 1))
            + Math.max(0, location.getColumnNumber() - 1);
  }
}
