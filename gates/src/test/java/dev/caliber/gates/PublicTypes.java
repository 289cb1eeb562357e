package dev.caliber.gates;

import com.sun.source.tree.ClassTree;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.lang.model.element.Modifier;

/**
 * How much of each package others can see. Reported, not refused: one door per package is a
 * judgement.
 */
final class PublicTypes {
  private PublicTypes() {}

  record Share(int visible, int all) {
    @Override
    public String toString() {
      return visible + " of " + all + " types public";
    }
  }

  static Map<String, Share> perPackage(List<Source> sources) {
    var shares = new TreeMap<String, Share>();
    for (var source : sources) {
      for (var type : source.unit().getTypeDecls()) {
        if (type instanceof ClassTree declared) {
          int visible = declared.getModifiers().getFlags().contains(Modifier.PUBLIC) ? 1 : 0;
          shares.merge(
              source.directory(),
              new Share(visible, 1),
              (a, b) -> new Share(a.visible() + b.visible(), a.all() + b.all()));
        }
      }
    }
    return shares;
  }
}
