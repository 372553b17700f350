/**
 * A profile: the reviewed envelope of one tool family. This is the loaded form of `profiles/<server>/<tool>.yaml`
 * (`schemas/profile.schema.json` describes the YAML). A profile holds knowledge about a server; it holds no verdicts.
 */
import type { CelText, InventoryEntry } from './inventory.js';

/** How the release's program is started, so that the evaluator can find what it registers. Tried in order; the first whose function exists is used. */
export interface EntryPoint {
  /** `module#function`, for example `mcp_server_git#main`. */
  readonly function: string;
  /** Decorators that the entry function may carry, by canonical identity; any other stops. */
  readonly decorators: readonly string[];
  /** Parameters in order, each bound to a registered input, with the type that the command line gives it. */
  readonly parameters: readonly EntryParameterBinding[];
}
export interface EntryParameterBinding {
  readonly name: string;
  /** `option:repository`. */
  readonly input: string;
  /** Type of the value when set: an identity that is applied to the text (`py:pathlib#Path`), or `str`, `int`, `bool`, `json`. */
  readonly type: string;
  /** Whether it may be null when unset. */
  readonly nullable: boolean;
}

export interface ProfileArgument {
  readonly name: string;
  /** JSON types in the supported domain. `any` leaves the type open. */
  readonly types: readonly ('string' | 'integer' | 'number' | 'boolean' | 'null' | 'array' | 'object' | 'any')[];
  /** For arrays: types of the elements. */
  readonly items?: readonly string[];
  readonly required: boolean;
}

export interface OperationModel {
  readonly id: string;
  readonly description: string;
  /** What a call of this operation does, in a few words: `reads the repository`. */
  readonly words?: string;
  /** Dimensions that effects of this operation carry; `order` (from smallest to largest) where values are ordered. */
  readonly dimensions: ReadonlyMap<string, { readonly order?: readonly string[]; /** Lowering counts as narrower. */ readonly lowering: boolean }>;
}

export interface ProfileInput {
  /** `option:repository`, `env:READONLY`, … */
  readonly name: string;
  readonly description: string;
  /** The value may be told to the caller (for example a configured folder in a refusal). */
  readonly disclosable: boolean;
}

export interface ProfileFact {
  readonly id: string;
  readonly description: string;
  /** The proposition it names: that this call throws, or does not. Arguments are patterns over `args.<name>`. */
  readonly call: { readonly callee: string; readonly arguments: readonly CelText[] };
  readonly throws: boolean;
}

export interface Profile {
  readonly id: string;
  readonly version: number;
  /** The handle that `--tool` takes. */
  readonly tool: string;
  readonly package: string;
  readonly packageVersions: string;
  readonly language: string;
  /** Folder of the project inside a source checkout; releases from a registry have it at the root. */
  readonly subpath?: string;
  readonly entry: readonly EntryPoint[];
  /** Name served per release range, first match wins; default is the handle. */
  readonly servedNames: readonly { readonly versions: string; readonly name: string }[];
  readonly arguments: readonly ProfileArgument[];
  /** Whether keys that are not listed are inside the domain. */
  readonly additionalArguments: boolean;
  /** Extra domain condition over `args`. */
  readonly domain?: CelText;
  readonly inventories: readonly string[];
  /** Entries of its own, which win over inventories. */
  readonly entries: ReadonlyMap<string, InventoryEntry>;
  readonly operations: ReadonlyMap<string, OperationModel>;
  /** Effects that may never be certified. */
  readonly bounds: readonly { readonly operation: string; readonly when?: CelText; readonly reason: string }[];
  readonly inputs: ReadonlyMap<string, ProfileInput>;
  readonly facts: readonly ProfileFact[];
  readonly assumptions: readonly { readonly id: string; readonly text: string }[];
  readonly dependencies: ReadonlyMap<string, string>;
  readonly reviewers: readonly string[];
  /** SHA-256 of the canonical JSON of everything above (not of the YAML text). */
  readonly digest: string;
}
