package dev.caliber.lang.ast;

import java.util.List;

/** A definition of a configuration. */
public sealed interface Definition extends Node {

  /** {@code memory name { … }} */
  record Memory(NameNode name, List<MemoryField> fields, NodeOrigin origin) implements Definition {
    public Memory {
      fields = List.copyOf(fields);
    }
  }

  /** {@code policy name { on trigger: [action, …] … }} */
  record Policy(NameNode name, List<RuleNode> rules, NodeOrigin origin) implements Definition {
    public Policy {
      rules = List.copyOf(rules);
    }
  }

  /** {@code adapter name { … }} */
  record Adapter(NameNode name, List<AdapterField> fields, NodeOrigin origin)
      implements Definition {
    public Adapter {
      fields = List.copyOf(fields);
    }
  }

  /** {@code inject memory into target { … }} */
  record Injection(NameNode memory, NameNode target, List<InjectionField> fields, NodeOrigin origin)
      implements Definition {
    public Injection {
      fields = List.copyOf(fields);
    }
  }
}
