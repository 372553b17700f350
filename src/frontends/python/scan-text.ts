/** Writes in source that could not be lowered, found by their looks: more than there are, never fewer of these kinds. */
import type { ForeignWrite } from '../../ir/program.js';
import type { Span } from '../../ir/span.js';

const MEMBER_WRITE = /\.\s*([\p{L}_][\p{L}\p{N}_]*)\s*(?:[-+*/%&|^@]|\*\*|\/\/|<<|>>)?=(?!=)/gu;
const ANY_WRITE = /\b(?:setattr|delattr|exec|eval|globals|__import__|__dict__|__setattr__|__builtins__|reload)\b|\b(?:environ|modules)\s*(?:\[|\.\s*(?:update|setdefault|pop|popitem|clear)\b|\|=)/;
const DELETED_MEMBER = /\bdel\b/;

export function scanText(source: readonly string[], span: Span): { readonly identity: string; readonly how: ForeignWrite['how'] }[] {
  const lines = source.slice(span.line - 1, span.endLine);
  const last = lines.length - 1;
  if (last >= 0) {
    lines[last] = lines[last]!.slice(0, span.endColumn - 1);
    lines[0] = lines[0]!.slice(span.column - 1);
  }
  const text = lines.join('\n');
  if (ANY_WRITE.test(text) || (DELETED_MEMBER.test(text) && text.includes('.'))) return [{ identity: '*', how: 'global' }];
  // A member before a comma, in a tuple that is assigned to, may be written too.
  return [...text.matchAll(MEMBER_WRITE)].map((match) => ({ identity: `*.${match[1]!}`, how: 'attribute' }));
}
