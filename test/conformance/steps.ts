/**
 * The steps of this repository's compiler for conformance cases. A summary goes through its written form before it is
 * printed or compared, as it does in the product.
 */
import { readFileSync } from 'node:fs';
import { BoundLibrary } from '../../src/analysis/bound-library.js';
import type { LanguageSemantics } from '../../src/analysis/language.js';
import { parseLiteral } from '../../src/analysis/literal.js';
import { Store } from '../../src/analysis/store.js';
import { summarizeTool } from '../../src/analysis/summarize.js';
import { encodeSummary } from '../../src/analysis/summary-codec.js';
import { decodeSummary } from '../../src/analysis/summary-decode.js';
import type { Summary } from '../../src/analysis/summary.js';
import { decideCall, type Reviewed } from '../../src/compatibility/decide.js';
import { resolveDependencies, versionLookup } from '../../src/pipeline/dependencies.js';
import { readSidedInputs, type SidedInputs } from '../../src/pipeline/inputs.js';
import { reviewedOf } from '../../src/pipeline/reviewed.js';
import { packagedProfilesFolder, readSource } from '../../src/profile/host.js';
import { InventorySet } from '../../src/profile/inventory-set.js';
import type { Inventory } from '../../src/profile/inventory.js';
import { ecosystemOf } from '../../src/profile/language.js';
import { loadInventory, loadProfile } from '../../src/profile/load.js';
import type { Profile } from '../../src/profile/profile.js';
import { pythonSemantics } from '../../src/semantics/python/index.js';
import { printSummary } from './print-summary.js';
import type { CaseSide, ConformanceSteps } from './run-case.js';

export interface Envelope {
  readonly store: Store;
  readonly profile: Profile;
  readonly semantics: LanguageSemantics;
  readonly inputs: SidedInputs;
  readonly libraries: Readonly<Record<CaseSide, BoundLibrary>>;
  readonly reviewed: Reviewed;
}

const KIT = new URL('kit/', import.meta.url);
const kitText = (name: string): { readonly file: string; readonly text: string } => ({ file: `kit/${name}`, text: readFileSync(new URL(name, KIT), 'utf8') });
const kit = loadInventory(kitText('inventory.yaml')).inventory;
const kitProfile = loadProfile(kitText('profile.yaml'), () => undefined).profile;
const packaged = new Map<string, Inventory>();

function packagedInventory(id: string): Inventory {
  let inventory = packaged.get(id);
  if (inventory === undefined) {
    const folder = packagedProfilesFolder();
    inventory = loadInventory(readSource(`${folder}/inventories/${id}.yaml`, folder)).inventory;
    packaged.set(id, inventory);
  }
  return inventory;
}

export const compilerSteps: ConformanceSteps<Envelope, Summary> = {
  load({ inventory, profile, deployment }) {
    const own = inventory === undefined ? undefined : loadInventory(inventory).inventory;
    const loaded = profile === undefined ? kitProfile : loadProfile(profile, () => undefined).profile;
    const ids = own === undefined || loaded.inventories.includes(own.id) ? loaded.inventories : [...loaded.inventories, own.id];
    const inventories = ids.map((id) => (id === own?.id ? own : id === kit.id ? kit : packagedInventory(id)));
    const inputs = readSidedInputs(deployment === undefined ? undefined : parseLiteral(deployment.text, deployment.file));
    const set = new InventorySet(inventories, loaded);
    const ecosystem = ecosystemOf(loaded.language);
    const library = (side: CaseSide): BoundLibrary => new BoundLibrary(set, versionLookup(ecosystem, resolveDependencies(ecosystem, [], inputs[side])));
    const libraries = { source: library('source'), target: library('target') };
    const semantics = pythonSemantics;
    return { store: new Store(), profile: loaded, semantics, inputs, libraries, reviewed: reviewedOf({ profile: loaded, inventories, semantics, ...libraries }) };
  },
  summarize(program, { store, profile, libraries, semantics }, side) {
    const { summary } = summarizeTool({ store, program, profile, library: libraries[side], semantics, servedName: profile.tool });
    const { semantic, spans } = encodeSummary(summary);
    return decodeSummary(semantic, store, spans);
  },
  printSummary: (summary, { reviewed }) => printSummary(summary, reviewed.knowledge),
  decide(source, target, call, { inputs, reviewed }) {
    const decision = decideCall(source, target, { arguments: parseLiteral(call.text, call.file), inputs }, reviewed);
    const codes = [...new Set(decision.reasons.map((reason) => reason.code))].sort();
    return codes.length === 0 ? decision.verdict : `${decision.verdict}: ${codes.join(', ')}`;
  },
};
