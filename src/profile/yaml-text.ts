/**
 * Strict YAML (1.2, core schema) to JSON data, with a table of places. Refused: syntax errors and warnings, duplicate
 * keys, keys that are not text, unknown tags, several documents, numbers that JSON does not hold, and more aliases or
 * nesting than the limits. It does no schema checking.
 */
import { createRequire } from 'node:module';
import type { Document, LineCounter, Node, YAMLError } from 'yaml';
import { hasLoneSurrogate, type JsonValue } from '../base/canonical-json.js';
import type { Place } from '../base/errors.js';
import { JSON_DEPTH_MAX, PROFILE_ALIASES_MAX, PROFILE_BYTES_MAX } from '../base/limits.js';
import { findingAt, ProfileError, throwOnErrors, type FindingCode } from './finding.js';

const CORE_TAGS = /^tag:yaml\.org,2002:(str|int|float|bool|null|map|seq)$/;

export type Path = readonly (string | number)[];

/** A text with the name under which errors speak of it. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
}

export interface MemberPlace {
  readonly key?: Place;
  readonly value: Place;
  /** Column at which the characters of a text begin, when the source shows them one to one. */
  readonly textColumn?: number;
}

/** Where each member of each map and list came from. Survives merging, since records are copied with their members. */
export class PlaceTable {
  readonly #members = new WeakMap<object, Map<string | number, MemberPlace>>();
  readonly #root: Place;

  constructor(root: Place) {
    this.#root = root;
  }

  set(container: object, key: string | number, place: MemberPlace): void {
    const members = this.#members.get(container) ?? new Map<string | number, MemberPlace>();
    members.set(key, place);
    this.#members.set(container, members);
  }

  get(container: object, key: string | number): MemberPlace | undefined {
    return this.#members.get(container)?.get(key);
  }

  /** The place of the value at `path` under `root`; of the nearest enclosing value when the path does not exist. */
  locate(root: JsonValue, path: Path, at: 'key' | 'value' = 'value', offset?: number): Place {
    let place = this.#root;
    let current: JsonValue | undefined = root;
    for (const [index, step] of path.entries()) {
      if (typeof current !== 'object' || current === null) return place;
      const member = this.get(current, step);
      if (member === undefined) return place;
      const last = index === path.length - 1;
      place = last && at === 'key' && member.key !== undefined ? member.key : member.value;
      if (last && offset !== undefined && member.textColumn !== undefined) {
        return { ...member.value, column: member.textColumn + offset };
      }
      current = (current as Record<string | number, JsonValue>)[step];
    }
    return place;
  }
}

export interface YamlText {
  readonly data: JsonValue;
  readonly places: PlaceTable;
}

export function parseYamlStrict(source: SourceText): YamlText {
  return new YamlReader(source).read();
}

/** Loaded when there is something to read: most runs find their documents read already. */
function yamlLibrary(): typeof import('yaml') {
  return createRequire(import.meta.url)('yaml') as typeof import('yaml');
}

class YamlReader {
  readonly #source: SourceText;
  readonly #yaml = yamlLibrary();
  readonly #lines: LineCounter = new this.#yaml.LineCounter();
  readonly #places: PlaceTable;
  #aliases = 0;

  constructor(source: SourceText) {
    this.#source = source;
    this.#places = new PlaceTable({ file: source.file, line: 1, column: 1 });
  }

  read(): YamlText {
    const { text } = this.#source;
    if (Buffer.byteLength(text) > PROFILE_BYTES_MAX) {
      throw this.#error('file-too-large', `the file is larger than ${PROFILE_BYTES_MAX} bytes`, 'Split it into several files.', 0);
    }
    const document = this.#yaml.parseDocument(text, {
      version: '1.2',
      schema: 'core',
      strict: true,
      uniqueKeys: true,
      merge: false,
      prettyErrors: false,
      lineCounter: this.#lines,
    });
    throwOnErrors([...document.errors, ...document.warnings].map((error) => this.#finding(error)));
    if (document.contents === null) {
      throw this.#error('yaml-syntax', 'the file is empty', 'Write the document, or delete the file.', 0);
    }
    return { data: this.#value(document.contents, document, 0), places: this.#places };
  }

  #value(node: Node, document: Document, depth: number): JsonValue {
    const at = node.range?.[0] ?? 0;
    if (depth > JSON_DEPTH_MAX) {
      throw this.#error('yaml-too-deep', `nested deeper than ${JSON_DEPTH_MAX} levels`, 'Flatten the document.', at);
    }
    if (this.#yaml.isAlias(node)) {
      this.#aliases += 1;
      const target = node.resolve(document);
      if (target === undefined) throw this.#error('yaml-syntax', `there is no anchor "${node.source}" before this alias`, 'Correct the name of the alias.', at);
      if (this.#aliases > PROFILE_ALIASES_MAX) {
        throw this.#error('yaml-alias-limit', `more than ${PROFILE_ALIASES_MAX} aliases are expanded`, 'Write the values out.', at);
      }
      return this.#value(target, document, depth + 1);
    }
    if (node.tag !== undefined && !CORE_TAGS.test(node.tag)) {
      throw this.#error('yaml-value-not-json', `the tag "${node.tag}" is not supported`, 'Take the tag out.', at);
    }
    if (this.#yaml.isMap(node)) {
      const members: Record<string, JsonValue> = {};
      for (const pair of node.items) {
        const key = pair.key as Node | null;
        if (!this.#yaml.isScalar(key) || typeof key.value !== 'string' || key.value === '__proto__' || hasLoneSurrogate(key.value)) {
          throw this.#error('yaml-key-not-text', 'a key that is not plain text', 'Put the key in quotes.', key?.range?.[0] ?? at);
        }
        const value = pair.value as Node | null;
        members[key.value] = value === null ? null : this.#value(value, document, depth + 1);
        const keyPlace = this.#place(key.range?.[0] ?? at);
        this.#places.set(members, key.value, { key: keyPlace, ...this.#memberPlace(value, keyPlace) });
      }
      return members;
    }
    if (this.#yaml.isSeq(node)) {
      const items: JsonValue[] = [];
      for (const item of node.items as (Node | null)[]) {
        const place = this.#memberPlace(item, this.#place(at));
        items.push(item === null ? null : this.#value(item, document, depth + 1));
        this.#places.set(items, items.length - 1, place);
      }
      return items;
    }
    if (this.#yaml.isScalar(node)) return this.#scalar(node.value, at);
    throw this.#error('yaml-value-not-json', 'a value with no JSON form', 'Write text, a number, true, false, null, a list or a map.', at);
  }

  #scalar(value: unknown, at: number): JsonValue {
    if (value === null || typeof value === 'boolean' || (typeof value === 'string' && !hasLoneSurrogate(value))) return value;
    if (typeof value === 'string') throw this.#error('yaml-value-not-json', 'text with half of a surrogate pair', 'Write the whole character.', at);
    if (typeof value === 'number' && Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return value;
    const shown = typeof value === 'number' ? String(value) : `of type ${typeof value}`;
    throw this.#error('yaml-value-not-json', `the value ${shown} is not kept exactly by JSON`, 'Put it in quotes if it is text.', at);
  }

  #memberPlace(node: Node | null, fallback: Place): MemberPlace {
    const range = node?.range;
    if (node === null || range === null || range === undefined) return { value: fallback };
    const value = this.#place(range[0]);
    if (!this.#yaml.isScalar(node) || typeof node.value !== 'string') return { value };
    const raw = this.#source.text.slice(range[0], range[1]);
    const quote = raw === node.value ? 0 : raw.slice(1, -1) === node.value ? 1 : undefined;
    return quote === undefined || raw.includes('\n') ? { value } : { value, textColumn: (value.column ?? 1) + quote };
  }

  #place(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset);
    return { file: this.#source.file, line: Math.max(line, 1), column: Math.max(col, 1) };
  }

  #finding(error: YAMLError) {
    const place = this.#place(error.pos[0]);
    if (error.code === 'DUPLICATE_KEY') {
      return findingAt(place, 'yaml-duplicate-key', 'this key appears twice in one map', 'Keep one of the two.');
    }
    return findingAt(place, 'yaml-syntax', `not YAML: ${error.message}`, 'Correct the YAML at this place.');
  }

  #error(code: FindingCode, message: string, fix: string, offset: number): ProfileError {
    return new ProfileError(findingAt(this.#place(offset), code, message, fix));
  }
}
