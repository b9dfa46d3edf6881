/** The role of a node of a syntax tree in a chunk. */
export type Role =
  /** A function or method. */
  | 'function'
  /** A class or the like, with members that are looked at one by one. */
  | 'class'
  /** As `class`, but what it names is defined elsewhere: `impl` of Rust, extensions. */
  | 'extension'
  /** A type without members of its own interest. */
  | 'type'
  /** A constant, variable or prototype. */
  | 'value'
  /** Its children count as children of its parent: a namespace without braces, `#ifdef`. */
  | 'through'
  /** As `through`, and belongs to what is in it: `export`, decorators. */
  | 'wrapper'
  /** As `through`, with a name that is part of the path. */
  | 'space'
  /** Stands in front of a definition and belongs to it: a comment, an attribute. */
  | 'lead';

/** The role of each type of node that has one. */
export type Roles = ReadonlyMap<string, Role>;

type Table = Readonly<Partial<Record<Role, string>>>;

function roles(table: Table): Roles {
  const found = new Map<string, Role>();
  for (const [role, types] of Object.entries(table)) for (const type of types.split(' ')) found.set(type, role as Role);
  return found;
}

const SCRIPT: Table = {
  function: 'function_declaration generator_function_declaration method_definition',
  class: 'class_declaration',
  value: 'lexical_declaration variable_declaration expression_statement pair field_definition',
  wrapper: 'export_statement',
  lead: 'comment decorator',
};

const TYPED_SCRIPT: Table = {
  ...SCRIPT,
  function: `${SCRIPT.function} function_signature`,
  class: `${SCRIPT.class} abstract_class_declaration`,
  type: 'interface_declaration enum_declaration type_alias_declaration',
  value: `${SCRIPT.value} public_field_definition`,
  wrapper: 'export_statement ambient_declaration',
  space: 'internal_module module',
};

const C: Table = {
  function: 'function_definition preproc_function_def',
  type: 'struct_specifier union_specifier enum_specifier type_definition',
  value: 'declaration preproc_def',
  through:
    'preproc_if preproc_ifdef preproc_else preproc_elif preproc_elifdef linkage_specification declaration_list ERROR',
  lead: 'comment',
};

const CPP: Table = {
  ...C,
  class: 'class_specifier struct_specifier',
  type: 'union_specifier enum_specifier type_definition alias_declaration concept_definition',
  value: `${C.value} field_declaration`,
  wrapper: 'template_declaration',
  space: 'namespace_definition',
};

const ROLES = {
  typescript: roles(TYPED_SCRIPT),
  tsx: roles(TYPED_SCRIPT),
  javascript: roles(SCRIPT),
  python: roles({
    function: 'function_definition',
    class: 'class_definition',
    value: 'expression_statement type_alias_statement',
    wrapper: 'decorated_definition',
    through: 'if_statement else_clause try_statement except_clause block',
    lead: 'comment decorator',
  }),
  go: roles({
    function: 'function_declaration method_declaration',
    type: 'type_spec type_alias',
    value: 'const_declaration var_declaration',
    wrapper: 'type_declaration',
    lead: 'comment',
  }),
  rust: roles({
    function: 'function_item macro_definition function_signature_item',
    class: 'trait_item',
    extension: 'impl_item',
    type: 'struct_item enum_item union_item type_item associated_type',
    value: 'const_item static_item',
    through: 'foreign_mod_item',
    space: 'mod_item',
    lead: 'line_comment block_comment attribute_item',
  }),
  java: roles({
    function: 'method_declaration constructor_declaration compact_constructor_declaration',
    class: 'class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration',
    value: 'field_declaration constant_declaration',
    through: 'enum_body_declarations',
    lead: 'line_comment block_comment',
  }),
  c: roles(C),
  cpp: roles(CPP),
  csharp: roles({
    function:
      'method_declaration constructor_declaration destructor_declaration operator_declaration conversion_operator_declaration indexer_declaration local_function_statement',
    class: 'class_declaration struct_declaration interface_declaration record_declaration',
    type: 'enum_declaration delegate_declaration',
    value: 'field_declaration property_declaration event_declaration event_field_declaration',
    through: 'file_scoped_namespace_declaration global_statement preproc_if preproc_else',
    space: 'namespace_declaration',
    lead: 'comment attribute_list',
  }),
  ruby: roles({
    function: 'method singleton_method',
    class: 'class module',
    value: 'assignment',
    through: 'singleton_class body_statement',
    lead: 'comment',
  }),
  php: roles({
    function: 'function_definition method_declaration',
    class: 'class_declaration interface_declaration trait_declaration enum_declaration',
    value: 'const_declaration property_declaration',
    through: 'namespace_definition compound_statement if_statement',
    lead: 'comment attribute_list',
  }),
  swift: roles({
    function:
      'function_declaration init_declaration deinit_declaration subscript_declaration protocol_function_declaration',
    class: 'class_declaration protocol_declaration',
    type: 'typealias_declaration',
    value: 'property_declaration protocol_property_declaration',
    lead: 'comment multiline_comment attribute',
  }),
  kotlin: roles({
    function: 'function_declaration secondary_constructor',
    class: 'class_declaration object_declaration companion_object',
    type: 'type_alias',
    value: 'property_declaration',
    through: 'class_body enum_class_body',
    lead: 'line_comment block_comment',
  }),
  bash: roles({
    function: 'function_definition',
    value: 'variable_assignment declaration_command',
    lead: 'comment',
  }),
} satisfies Record<string, Roles>;

export type LanguageName = keyof typeof ROLES;

/** Returns what the nodes of a language are to chunks. */
export const rolesOf = (language: LanguageName): Roles => ROLES[language];

export const LANGUAGES = Object.keys(ROLES) as readonly LanguageName[];
