/**
 * Puts the shared parts of a pack under a tool file. Maps (`operations`, `inputs`, `dependencies`) are merged by key and
 * `assumptions` by id, the tool's winning; `inventories` are the pack's and then the tool's; every other member of the
 * tool file replaces the pack's. Each value keeps the place that it was written at.
 */
import type { JsonObject, JsonValue } from '../base/canonical-json.js';
import { PlaceTable, type MemberPlace, type YamlText } from './yaml-text.js';

type Container = Record<string, JsonValue> | JsonValue[];

export function mergePack(tool: YamlText, pack: YamlText): YamlText {
  const places = new PlaceTable(tool.places.locate(tool.data, []));
  const copy = (source: YamlText, value: JsonValue): JsonValue => copyWithPlaces(source.places, places, value);
  const toolData = copy(tool, tool.data) as Record<string, JsonValue>;
  const packData = copy(pack, pack.data) as JsonObject;
  for (const [key, value] of Object.entries(packData)) {
    const own = toolData[key];
    if (own === undefined) {
      toolData[key] = value;
      setPlace(places, toolData, key, places.get(packData, key));
    } else if (key === 'operations' || key === 'inputs' || key === 'dependencies') {
      addMissingMembers(places, own as Record<string, JsonValue>, value as JsonObject);
    } else if (key === 'assumptions') {
      const ids = new Set((own as { id: string }[]).map((item) => item.id));
      toolData[key] = concatenate(places, value as JsonValue[], own as JsonValue[], (item) => !ids.has((item as { id: string }).id));
    } else if (key === 'inventories') {
      toolData[key] = concatenate(places, value as JsonValue[], own as JsonValue[], (item) => !(own as JsonValue[]).includes(item));
    }
  }
  delete toolData['pack'];
  return { data: toolData, places };
}

function addMissingMembers(places: PlaceTable, own: Record<string, JsonValue>, shared: JsonObject): void {
  for (const [key, value] of Object.entries(shared)) {
    if (Object.hasOwn(own, key)) continue;
    own[key] = value;
    setPlace(places, own, key, places.get(shared, key));
  }
}

function concatenate(places: PlaceTable, shared: readonly JsonValue[], own: readonly JsonValue[], keep: (item: JsonValue) => boolean): JsonValue[] {
  const merged: JsonValue[] = [];
  for (const list of [shared, own]) {
    for (const [index, item] of list.entries()) {
      if (list === shared && !keep(item)) continue;
      merged.push(item);
      setPlace(places, merged, merged.length - 1, places.get(list, index));
    }
  }
  return merged;
}

function copyWithPlaces(from: PlaceTable, to: PlaceTable, value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  const copy: Container = Array.isArray(value) ? [] : {};
  for (const [key, member] of Object.entries<JsonValue>(value)) {
    const step = Array.isArray(value) ? Number(key) : key;
    (copy as Record<string | number, JsonValue>)[step] = copyWithPlaces(from, to, member);
    setPlace(to, copy, step, from.get(value, step));
  }
  return copy;
}

function setPlace(places: PlaceTable, container: object, key: string | number, place: MemberPlace | undefined): void {
  if (place !== undefined) places.set(container, key, place);
}
