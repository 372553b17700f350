/**
 * Places of a module that Python 3 would refuse, or that the parser could not read. One pass over the whole tree with a
 * cursor, so that no depth of nesting can overflow; everything after it asks here before it walks.
 *
 * Forms that only Python 2 has are errors of the whole module: another language would give the rest another meaning.
 * Other errors poison the function or class that they are in, or the module where they are at its top.
 */
import type { Tree } from 'web-tree-sitter';
import { SYNTAX_DEPTH_MAX } from '../../base/limits.js';
import type { SyntaxNode } from './syntax.js';

export interface Problem {
  /** Offsets into the text. */
  readonly start: number;
  readonly end: number;
  readonly node: SyntaxNode;
  readonly detail: string;
  /** Whether all of the module means something else. */
  readonly wholeModule: boolean;
}

export class Problems {
  readonly all: readonly Problem[];

  constructor(all: readonly Problem[]) {
    this.all = all;
  }

  /** The first problem inside a node. */
  within(node: SyntaxNode): Problem | undefined {
    if (this.all.length === 0) return undefined;
    const { startIndex, endIndex } = node;
    return this.all.find((problem) => problem.start >= startIndex && problem.end <= endIndex);
  }
}

export function findProblems(tree: Tree, text: string): Problems {
  const found: Problem[] = [];
  const cursor = tree.walk();
  const lines = text.split('\n');
  const plain = PLAIN.test(text);
  let depth = 0;
  let tooDeep = false;
  const report = (detail: string, wholeModule: boolean): void => {
    const node = cursor.currentNode;
    found.push({ start: node.startIndex, end: node.endIndex, node, detail, wholeModule });
  };
  try {
    for (;;) {
      const type = cursor.nodeType;
      if (type === 'ERROR' || cursor.nodeIsMissing) report('this is not Python 3', false);
      else {
        const old = PYTHON_2[type]?.(cursor.currentNode);
        if (old !== undefined) report(`Python 2 syntax: ${old}`, true);
        // Python compares names in their normal form; two spellings of one name would be two names to all that follows.
        if (!plain && type === 'identifier' && cursor.nodeText.normalize('NFKC') !== cursor.nodeText) report('a name that is not in normal form (NFKC)', true);
        if (type.endsWith('_statement') || type.endsWith('_definition')) {
          const { row, column } = cursor.startPosition;
          // The parser counts a tab after spaces differently from Python.
          if (/ \t/.test((lines[row] ?? '').slice(0, column)) && /^\s*$/.test((lines[row] ?? '').slice(0, column))) report('a tab after spaces in the indentation', false);
        }
      }
      if (depth < SYNTAX_DEPTH_MAX) {
        if (cursor.gotoFirstChild()) {
          depth += 1;
          continue;
        }
      } else if (!tooDeep) {
        tooDeep = true;
        report(`nested deeper than ${String(SYNTAX_DEPTH_MAX)} levels`, false);
      }
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return new Problems(found);
        depth -= 1;
        tooDeep = depth === 0 ? false : tooDeep;
      }
    }
  } finally {
    cursor.delete();
  }
}

const PLAIN = /^[\x00-\x7f]*$/;

/** Forms that the grammar reads and that only Python 2 has. */
const PYTHON_2: Readonly<Record<string, (node: SyntaxNode) => string | undefined>> = {
  print_statement: () => 'the print statement',
  exec_statement: () => 'the exec statement',
  '<>': () => 'the operator <>',
  raise_statement: (node) => (node.namedChildren.some((child) => child.type === 'expression_list') ? 'raise with a comma' : undefined),
  // Without parentheses and without `as` it is a tuple of types since Python 3.14, and a name to bind in Python 2.
  except_clause: (node) => (node.childrenForFieldName('value').filter((child) => child.isNamed).length > 1 ? 'except with a comma' : undefined),
  string_start: (node) => (node.text.startsWith('`') ? 'backticks' : /^ur/i.test(node.text) ? 'the prefix ur' : undefined),
  integer: (node) => (/l$/i.test(node.text) ? 'a long integer' : /^0[0-9_]*[1-9]/.test(node.text) && !/[ej.]/i.test(node.text) ? 'an octal number without 0o' : undefined),
  parameters: (node) => (node.namedChildren.some((child) => child.type === 'tuple_pattern') ? 'a tuple as a parameter' : undefined),
};
