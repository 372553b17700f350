/** pydantic: fields, schemas, dumps and validation of models. */
import { TRUE } from '../../../analysis/guards.js';
import type { Intrinsic } from '../../../analysis/language.js';
import type { RecordField, TermId } from '../../../analysis/terms.js';
import { unsupported } from '../failures.js';
import { FIELD_INFO_TYPE } from '../pydantic/model-type.js';
import { dumpModel, modelFrom } from '../pydantic/model.js';
import { modelSchema } from '../pydantic/model-schema.js';
import { recordView } from '../records.js';
import { keywordArguments, receiver } from './parameters.js';

/** What was written, kept for whoever reads the field. */
const field: Intrinsic = (machine, call) => {
  const [first, ...others] = call.arguments.positional;
  const keywords = keywordArguments(call);
  if (keywords === undefined || others.length > 0 || first?.kind === 'spread') return unsupported(machine, 'a Field with spread arguments', call.span);
  const entry = (name: string, value: TermId): RecordField => ({ when: TRUE, key: machine.store.string(name), value });
  const fields = [...(first === undefined ? [] : [entry('default', first.value)]), ...[...keywords].map(([name, value]) => entry(name, value))];
  return machine.store.intern({ kind: 'record', fields, type: FIELD_INFO_TYPE });
};

const schema: Intrinsic = (machine, call) => {
  if (call.arguments.positional.length + call.arguments.keywords.length > 0) return unsupported(machine, 'a model schema with options', call.span);
  return machine.overLeaves(receiver(machine, call), (leaf) => {
    const held = machine.object(leaf);
    return modelSchema(machine, held?.kind === 'instance' ? held.class : leaf, call.span);
  });
};

const dump: Intrinsic = (machine, call) => {
  if (call.arguments.positional.length + call.arguments.keywords.length > 0) return unsupported(machine, 'a model dump with options', call.span);
  return machine.overLeaves(receiver(machine, call), (leaf) => dumpModel(machine, leaf, call.span));
};

const construct: Intrinsic = (machine, call) => unsupported(machine, 'BaseModel itself is constructed', call.span);

const validateMapping: Intrinsic = (machine, call) => {
  const [first, ...others] = call.arguments.positional;
  const view = first?.kind === 'value' && others.length === 0 && call.arguments.keywords.length === 0 ? recordView(machine, first.value) : undefined;
  if (view === undefined) return unsupported(machine, 'model_validate of something that is no dict', call.span);
  return modelFrom(machine, receiver(machine, call), view, call.span);
};

export const PYDANTIC_INTRINSICS: readonly (readonly [string, Intrinsic])[] = [
  ['pydantic.Field', field],
  ['pydantic.model_json_schema', schema],
  ['pydantic.model_dump', dump],
  ['pydantic.construct', construct],
  ['pydantic.model_validate', validateMapping],
];
