/** What lowering one module carries along: where it is, what names mean, and where functions and classes go. */
import type { Parser, Tree } from 'web-tree-sitter';
import { IR_DEPTH_MAX, SYNTAX_CHAIN_MAX } from '../../base/limits.js';
import type { ClassId, Expression, FunctionId, ModuleId, UnsupportedCode, UnsupportedExpression } from '../../ir/nodes.js';
import type { Binding, IrClass, IrFunction } from '../../ir/program.js';
import type { Span } from '../../ir/span.js';
import { PYTHON_BUILTINS } from './builtins.js';
import type { Problems } from './problems.js';
import { mangled, resolve, type Scope } from './scopes.js';
import { spanOf, type SyntaxNode } from './syntax.js';

export interface ModuleInfo {
  readonly id: ModuleId;
  readonly file: string;
  readonly isPackage: boolean;
}

/** All modules of the release, as far as imports need them. */
export interface ProjectNames {
  has: (module: ModuleId) => boolean;
  /** Whether the module itself binds the name (a submodule of that name is then hidden). */
  binds: (module: ModuleId, name: string) => boolean;
}

export interface ProgramParts {
  readonly functions: Map<FunctionId, IrFunction>;
  readonly classes: Map<ClassId, IrClass>;
}

/** Levels of IR that one node of source may add without being counted: chains, their parts, and an index or two. */
const UNCOUNTED_LEVELS = SYNTAX_CHAIN_MAX + 8;

export class Context {
  readonly module: ModuleInfo;
  readonly project: ProjectNames;
  readonly program: ProgramParts;
  readonly problems: Problems;
  readonly parser: Parser;
  /** Names of this module, filled before bodies are lowered. */
  readonly bindings = new Map<string, Binding>();
  /** A star import from outside the project: any unbound name may come from it. */
  externalStar: Span | undefined;
  /** Stars that belong to the whole element that they begin. */
  readonly readSplats = new Set<number>();
  /** Trees of annotations that are given as text. */
  readonly trees: Tree[] = [];
  private readonly scopes = new Set<string>();
  private temporaries = 0;
  private depth = 0;
  /** Where the text of an annotation stands, while it is lowered: one place for all of it. */
  private place: Span | undefined;

  constructor(module: ModuleInfo, project: ProjectNames, program: ProgramParts, problems: Problems, parser: Parser) {
    this.module = module;
    this.project = project;
    this.program = program;
    this.problems = problems;
    this.parser = parser;
  }

  span(node: SyntaxNode): Span {
    return this.place ?? spanOf(this.module.file, node);
  }

  /** Lowers nodes of another tree, whose own positions mean nothing here. */
  at<T>(place: Span, lower: () => T): T {
    const outer = this.place;
    this.place = outer ?? place;
    try {
      return lower();
    } finally {
      this.place = outer;
    }
  }

  unsupported(node: SyntaxNode, code: UnsupportedCode, detail: string): UnsupportedExpression {
    return { kind: 'unsupported', span: this.span(node), code, detail };
  }

  /** One level further in; what is too deep for every later walk is not lowered. */
  deeper<T>(node: SyntaxNode, lower: () => T): T | UnsupportedExpression {
    if (this.depth + UNCOUNTED_LEVELS >= IR_DEPTH_MAX) return this.unsupported(node, 'unsupported-syntax', `nested deeper than ${String(IR_DEPTH_MAX - UNCOUNTED_LEVELS)} levels`);
    this.depth += 1;
    try {
      return lower();
    } finally {
      this.depth -= 1;
    }
  }

  /** Code whose levels count from zero: a body of its own. */
  fresh<T>(lower: () => T): T {
    const outer = this.depth;
    this.depth = 0;
    try {
      return lower();
    } finally {
      this.depth = outer;
    }
  }

  /** A name that no source text can have. */
  temporary(): string {
    this.temporaries += 1;
    return `.t${String(this.temporaries)}`;
  }

  /** An id for a function or class; the second of one name gets `~2`. */
  uniqueId(base: string): string {
    let id = base;
    for (let number = 2; this.program.functions.has(id) || this.program.classes.has(id); number += 1) id = `${base}~${String(number)}`;
    return id;
  }

  /** An id for the activation of a comprehension; those of an annotation's text share a place. */
  uniqueScope(base: string): string {
    let id = base;
    for (let number = 2; this.scopes.has(id); number += 1) id = `${base}~${String(number)}`;
    this.scopes.add(id);
    return id;
  }

  /** A name read (or, for locals and module variables, written) in a scope. */
  name(node: SyntaxNode, name: string, scope: Scope | undefined): Expression {
    const span = this.span(node);
    const resolution = resolve(scope, name);
    switch (resolution.kind) {
      case 'local':
        return { kind: 'local', span, name, owner: resolution.owner };
      case 'class-name':
        return resolution.value === undefined ? this.unsupported(node, 'ambiguous-binding', `${name} is a name of the class body`) : { ...resolution.value, span };
      case 'type-parameter':
        return this.unsupported(node, 'unsupported-syntax', `${name} is a type parameter`);
      case 'module':
        if (name === '__class__' && isInClass(scope)) return this.unsupported(node, 'dynamic-name', `${name} is the class around`);
        return this.moduleName(node, mangled(scope, name));
    }
  }

  private moduleName(node: SyntaxNode, name: string): Expression {
    const span = this.span(node);
    if (this.bindings.has(name)) return { kind: 'module-variable', span, module: this.module.id, name };
    if (this.externalStar !== undefined) return this.unsupported(node, 'star-import', `${name} may come from the star import in line ${String(this.externalStar.line)}`);
    if (PYTHON_BUILTINS.has(name)) return { kind: 'external', span, identity: `py:builtins#${name}` };
    if (name === '__name__') return { kind: 'constant', span, value: { type: 'string', value: /(^|\.)__main__$/.test(this.module.id) ? '__main__' : this.module.id } };
    if (name === '__builtins__') return this.unsupported(node, 'dynamic-name', `${name} holds all builtins`);
    if (MODULE_GLOBALS.has(name)) return this.unsupported(node, 'unresolved-name', `${name} depends on where the release is installed`);
    return this.unsupported(node, 'unresolved-name', `nothing binds ${name}`);
  }
}

const MODULE_GLOBALS: ReadonlySet<string> = new Set(['__file__', '__doc__', '__package__', '__spec__', '__path__', '__loader__', '__cached__']);

function isInClass(scope: Scope | undefined): boolean {
  for (let at = scope; at !== undefined; at = at.parent) if (at.kind === 'class') return true;
  return false;
}
