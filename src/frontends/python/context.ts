/** What lowering one module carries along: where it is, what names mean, and where functions and classes go. */
import type { ClassId, Expression, FunctionId, ModuleId, UnsupportedCode, UnsupportedExpression } from '../../ir/nodes.js';
import type { Binding, IrClass, IrFunction } from '../../ir/program.js';
import type { Span } from '../../ir/span.js';
import { PYTHON_BUILTINS } from './builtins.js';
import { resolve, type Scope } from './scopes.js';
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

export class Context {
  readonly module: ModuleInfo;
  readonly project: ProjectNames;
  readonly program: ProgramParts;
  /** Names of this module, filled before bodies are lowered. */
  readonly bindings = new Map<string, Binding>();
  /** A star import from outside the project: any unbound name may come from it. */
  externalStar: Span | undefined;
  private temporaries = 0;

  constructor(module: ModuleInfo, project: ProjectNames, program: ProgramParts) {
    this.module = module;
    this.project = project;
    this.program = program;
  }

  span(node: SyntaxNode): Span {
    return spanOf(this.module.file, node);
  }

  unsupported(node: SyntaxNode, code: UnsupportedCode, detail: string): UnsupportedExpression {
    return { kind: 'unsupported', span: this.span(node), code, detail };
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

  /** A name read (or, for locals and module variables, written) in a scope. */
  name(node: SyntaxNode, name: string, scope: Scope | undefined): Expression {
    const span = this.span(node);
    const resolution = resolve(scope, name);
    switch (resolution.kind) {
      case 'local':
        return { kind: 'local', span, name, owner: resolution.owner };
      case 'class-name':
        return this.unsupported(node, 'ambiguous-binding', `${name} is a name of the class body`);
      case 'module':
        if (this.bindings.has(name)) return { kind: 'module-variable', span, module: this.module.id, name };
        if (this.externalStar !== undefined) return this.unsupported(node, 'star-import', `${name} may come from the star import in line ${String(this.externalStar.line)}`);
        if (PYTHON_BUILTINS.has(name)) return { kind: 'external', span, identity: `py:builtins#${name}` };
        if (MODULE_GLOBALS.has(name)) return this.moduleGlobal(node, name);
        return this.unsupported(node, 'unresolved-name', `nothing binds ${name}`);
    }
  }

  private moduleGlobal(node: SyntaxNode, name: string): Expression {
    if (name === '__name__') return { kind: 'constant', span: this.span(node), value: { type: 'string', value: this.module.id } };
    return this.unsupported(node, 'unresolved-name', `${name} depends on where the release is installed`);
  }
}

const MODULE_GLOBALS: ReadonlySet<string> = new Set(['__name__', '__file__', '__doc__', '__package__', '__spec__', '__path__', '__loader__']);
