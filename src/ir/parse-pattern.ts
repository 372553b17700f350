/** Reads the patterns of `match` in printed form. */
import { readList, readLocal, readOperand, readPostfix, readUnsupported, readVariable } from './parse-expression.js';
import type { Local, Pattern } from './nodes.js';
import type { Scanner } from './scan.js';
import { KEYWORD } from './text-form.js';

type ClassKeyword = Extract<Pattern, { kind: 'class' }>['keywords'][number];
type MappingEntry = Extract<Pattern, { kind: 'mapping' }>['entries'][number];

/** A pattern and the captures after it: `p as %x as %y` captures twice. */
export function readPattern(scan: Scanner): Pattern {
  return scan.nested(() => {
    const start = scan.position;
    let pattern = readSimplePattern(scan);
    while (scan.takeWord('as')) {
      const target = readVariable(scan);
      pattern = { kind: 'capture', span: scan.spanFrom(start), target, pattern };
    }
    return pattern;
  });
}

function readSimplePattern(scan: Scanner): Pattern {
  const start = scan.position;
  if (scan.looksAt(/_(?![\p{ID_Continue}$])/uy)) {
    scan.expect('_');
    return { kind: 'wildcard', span: scan.spanFrom(start) };
  }
  if (scan.sees('%') || scan.sees('@')) {
    const target = readVariable(scan);
    return { kind: 'capture', span: scan.spanFrom(start), target };
  }
  if (scan.sees('[')) {
    const elements = readList(scan, '[', ']', () => {
      const starred = scan.take('*');
      return { pattern: readPattern(scan), starred };
    });
    return { kind: 'sequence', span: scan.spanFrom(start), elements };
  }
  if (scan.sees('{')) return readMapping(scan, start);
  switch (scan.word()) {
    case 'value': {
      scan.expectWord('value');
      const operator = scan.path('an operator such as py.eq');
      const value = readOperand(scan);
      return { kind: 'value', span: scan.spanFrom(start), operator, value };
    }
    case 'or': {
      scan.expectWord('or');
      const alternatives = readList(scan, '(', ')', () => readPattern(scan));
      return { kind: 'or', span: scan.spanFrom(start), alternatives };
    }
    case 'class':
      return readClassPattern(scan, start);
    case 'unsupported':
      return readUnsupported(scan);
    default:
      throw scan.error('a pattern (_, %x, value, or, [, {, class)');
  }
}

function readMapping(scan: Scanner, start: number): Pattern {
  const entries: MappingEntry[] = [];
  let rest: Local | undefined;
  readList(scan, '{', '}', () => {
    if (rest !== undefined) throw scan.error('"}" after the rest of a mapping');
    if (scan.take('**')) {
      rest = readLocal(scan);
      return;
    }
    const key = readOperand(scan);
    scan.expect(':');
    entries.push({ key, pattern: readPattern(scan) });
  });
  return { kind: 'mapping', span: scan.spanFrom(start), entries, ...(rest === undefined ? {} : { rest }) };
}

function readClassPattern(scan: Scanner, start: number): Pattern {
  scan.expectWord('class');
  const type = readPostfix(scan);
  const positional: Pattern[] = [];
  const keywords: ClassKeyword[] = [];
  readList(scan, '(', ')', () => {
    if (scan.looksAt(KEYWORD)) {
      const name = scan.name('an attribute');
      scan.expect('=');
      keywords.push({ name, pattern: readPattern(scan) });
    } else if (keywords.length > 0) {
      throw scan.error('an attribute pattern such as name = _');
    } else {
      positional.push(readPattern(scan));
    }
  });
  return { kind: 'class', span: scan.spanFrom(start), class: type, positional, keywords };
}
