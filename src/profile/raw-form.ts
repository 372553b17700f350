/** The shapes that the schemas guarantee of YAML data, before expressions are parsed and defaults filled in. */
import type { EntryPoint, ProfileArgument } from './profile.js';
import type { CalleeWords, RegistrationRole } from './inventory.js';

export interface RawInventory {
  readonly inventory: string;
  readonly language: string;
  readonly package?: string;
  readonly modules?: readonly string[];
  readonly aliases?: Readonly<Record<string, string>>;
  readonly classes?: Readonly<Record<string, readonly string[]>>;
  readonly constants?: Readonly<Record<string, string>>;
  readonly entries?: readonly RawEntry[];
  readonly relations?: readonly RawRelation[];
}

export interface RawEntry {
  readonly callee: string;
  readonly access?: 'call' | 'attribute';
  readonly async?: boolean;
  readonly parameters?: string;
  readonly note?: string;
  readonly words?: CalleeWords;
  readonly forms: readonly RawForm[];
}

export interface RawThrow {
  readonly type?: string;
  readonly when?: string;
  readonly as?: { readonly callee: string; readonly arguments: readonly string[] };
}

export type RawDimensions = Readonly<Record<string, string | { readonly value: string; readonly exact?: boolean }>>;

interface RawFormCommon {
  readonly id: string;
  readonly versions?: string;
  readonly when?: string;
  readonly type?: string;
  readonly throws?: 'never' | readonly RawThrow[];
}

export type RawForm = RawFormCommon &
  (
    | { readonly model: 'pure'; readonly function?: string }
    | { readonly model: 'observes'; readonly resource?: string; readonly disclosed?: boolean }
    | { readonly model: 'fresh' }
    | { readonly model: 'returns'; readonly value: string }
    | { readonly model: 'guard' }
    | { readonly model: 'input'; readonly name: string }
    | {
        readonly model: 'effect';
        readonly operation: string;
        readonly dimensions: RawDimensions;
        readonly resource?: string;
        readonly protective?: boolean;
        readonly baseline?: boolean;
        readonly refuses?: readonly RawThrow[];
      }
    | {
        readonly model: 'calls';
        readonly closure: string;
        readonly arguments?: readonly string[];
        readonly context?: { readonly operation: string; readonly dimensions: RawDimensions };
      }
    | { readonly model: 'context'; readonly operation: string; readonly dimensions: RawDimensions; readonly value?: string }
    | { readonly model: 'registers'; readonly role: RegistrationRole; readonly fields: Readonly<Record<string, string>>; readonly returns?: 'handler' | 'none' }
    | { readonly model: 'serves'; readonly server: string }
    | { readonly model: 'intrinsic'; readonly name: string }
    | { readonly model: 'refuse'; readonly reason: string }
  );

interface RawCallPattern {
  readonly callee: string;
  readonly arguments: readonly string[];
  readonly type?: string;
}

export interface RawRelation {
  readonly id: string;
  readonly versions?: string;
  readonly reason: string;
  readonly if: RawCallPattern;
  readonly implies: RawCallPattern;
  readonly when?: string;
}

/** What a pack may hold. Every member is optional until the pack and the tool file are merged. */
export interface RawPack {
  readonly package?: string;
  readonly packageVersions?: string;
  readonly language?: string;
  readonly subpath?: string;
  readonly entry?: readonly {
    readonly function: string;
    readonly decorators?: readonly string[];
    readonly parameters?: readonly (Omit<EntryPoint['parameters'][number], 'nullable'> & { readonly nullable?: boolean })[];
  }[];
  readonly inventories?: readonly string[];
  readonly operations?: Readonly<
    Record<
      string,
      { readonly description: string; readonly words?: string; readonly dimensions: Readonly<Record<string, { readonly order?: readonly string[]; readonly lowering?: boolean }>> }
    >
  >;
  readonly inputs?: Readonly<Record<string, { readonly description: string; readonly disclosable?: boolean }>>;
  readonly assumptions?: readonly { readonly id: string; readonly text: string }[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly reviewers?: readonly string[];
}

export interface RawProfile extends RawPack {
  readonly pack?: string;
  readonly id: string;
  readonly version: number;
  readonly tool: string;
  readonly servedNames?: readonly { readonly versions?: string; readonly name: string }[];
  readonly arguments?: readonly (Omit<ProfileArgument, 'required'> & { readonly required?: boolean })[];
  readonly additionalArguments?: boolean;
  readonly domain?: string;
  readonly entries?: readonly RawEntry[];
  readonly bounds?: readonly { readonly operation: string; readonly when?: string; readonly reason: string }[];
  readonly facts?: readonly {
    readonly id: string;
    readonly description: string;
    readonly call: { readonly callee: string; readonly arguments: readonly string[] };
    readonly throws: boolean;
  }[];
}

/** After merging, with the members that `MERGED_REQUIRED` names. */
export type MergedProfile = Omit<RawProfile, 'pack'> & Required<Pick<RawPack, 'package' | 'language' | 'entry' | 'inventories' | 'operations'>>;
