/** What the evaluator asks of the combined inventories of one side (profile/inventory-set.ts, bound to dependency versions). */
import type { CelText, Form, InventoryEntry, Relation } from '../profile/inventory.js';

export interface Library {
  /** One spelling of an identity: modules resolved, aliases followed. */
  canonical(identity: string): string;
  entry(identity: string, access: 'call' | 'attribute'): InventoryEntry | undefined;
  /** Whether some entry, class, module or constant begins with this identity and a separator. */
  isPrefix(identity: string): boolean;
  isModule(identity: string): boolean;
  isClass(identity: string): boolean;
  isSubclass(identity: string, ancestor: string): boolean;
  /** Classes and their ancestors, nearest first, itself first. Unknown identity: itself only. */
  lineage(identity: string): readonly string[];
  constant(identity: string): CelText | undefined;
  /** Forms that can apply under the resolved dependency version; `version-needed` when versions matter and none is known. */
  forms(entry: InventoryEntry): { readonly kind: 'forms'; readonly forms: readonly Form[] } | { readonly kind: 'version-needed'; readonly dependency: string };
  readonly relations: readonly Relation[];
}
