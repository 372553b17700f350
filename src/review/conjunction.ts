/** Statements as sentences: what is said of one subject with one verb is said at once. */

export type Statement =
  | { readonly text: string }
  /** `target` `starts with` `"-"`, or does not. */
  | { readonly subject: string; readonly verb: string; readonly holds: boolean; readonly object: string };

const OBJECTS_SHOWN_MAX = 6;

type Simple = Extract<Statement, { subject: string }>;

/** Alternatives as sentences, without repetitions. */
export function disjunction(alternatives: readonly (readonly Statement[])[]): readonly string[] {
  const merged = new Map<string, Simple[]>();
  const sentences: (string | Simple[])[] = [];
  for (const statements of alternatives) {
    const [only] = statements;
    if (statements.length !== 1 || only === undefined || !('subject' in only) || !only.holds) {
      sentences.push(conjunction(statements));
      continue;
    }
    const key = `${only.subject}\n${only.verb}`;
    const same = merged.get(key);
    if (same !== undefined) {
      same.push(only);
      continue;
    }
    const group = [only];
    merged.set(key, group);
    sentences.push(group);
  }
  return [...new Set(sentences.map((each) => (typeof each === 'string' ? each : anyOfThem(each))))];
}

function anyOfThem(group: readonly Simple[]): string {
  const [first, ...others] = group;
  const objects = [...new Set(group.map((statement) => statement.object))];
  if (first === undefined || others.length === 0 || objects.length === 1) return conjunction(group.slice(0, 1));
  return `${first.subject} ${first.verb} ${objects.slice(0, -1).join(', ')} or ${objects.at(-1) ?? ''}`;
}

/** All of them hold. */
export function conjunction(statements: readonly Statement[]): string {
  const parts: string[] = [];
  const said = new Set<Statement>();
  for (const statement of statements) {
    if (said.has(statement)) continue;
    if ('text' in statement) {
      parts.push(statement.text);
      continue;
    }
    const same = statements.filter((other): other is Simple => 'subject' in other && other.subject === statement.subject && other.verb === statement.verb && other.holds === statement.holds);
    for (const other of same) said.add(other);
    parts.push(sentence(statement, [...new Set(same.map((other) => other.object))]));
  }
  return [...new Set(parts)].join(' and ');
}

function sentence({ subject, verb, holds }: Simple, objects: readonly string[]): string {
  const named = objects.filter((object) => object !== '');
  const shown = named.length > OBJECTS_SHOWN_MAX ? [...named.slice(0, OBJECTS_SHOWN_MAX), `${String(named.length - OBJECTS_SHOWN_MAX)} more`] : named;
  const list = shown.join(holds ? ' and ' : ', ');
  if (holds) return `${subject} ${verb}${list === '' ? '' : ` ${list}`}`;
  if (objects.length > 1) return `${subject} ${verb} none of ${list}`;
  return `${subject} ${negated(verb)}${list === '' ? '' : ` ${list}`}`;
}

/** `is exactly` as `is not exactly`, `starts with` as `does not start with`. */
function negated(verb: string): string {
  if (verb === 'is' || verb.startsWith('is ')) return verb === 'is exactly' ? 'is not' : `is not${verb.slice('is'.length)}`;
  const [first = '', ...rest] = verb.split(' ');
  const infinitive = first === 'has' ? 'have' : first.replace(/s$/, '');
  return ['does not', infinitive, ...rest].join(' ');
}
