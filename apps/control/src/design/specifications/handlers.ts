import { diffDocuments } from '@millrace/openapi/diff';
import { objectAt, textAt } from '@millrace/openapi/document';
import { generateDocument } from '@millrace/openapi/generate';
import { type LintFinding, lintDocument } from '@millrace/openapi/lint';
import { writeYaml } from '@millrace/openapi/text';
import { tenantTransaction } from '@millrace/postgres';
import type { TenantTransaction } from '../../database/schema.ts';
import { ApiError, fieldError, found } from '../../frame/errors.ts';
import type { CallerContext, Handlers } from '../../frame/handler.ts';
import { pageOf } from '../../frame/listing.ts';
import type { Parts } from '../../frame/parts.ts';
import { loadContent, lockProxy } from '../proxies/content.ts';
import type { specificationOperations } from './contract.ts';
import { readDocument } from './document-text.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

/** Keeps a response readable; its total says how many there are. */
const mostShown = 1_000;

export function specificationHandlers(parts: Parts): Handlers<typeof specificationOperations> {
  return {
    listSpecifications: ({ query }, { transaction }) => store.listSpecifications(transaction, query),
    uploadSpecification: {
      prepare: async ({ body }) => {
        const { document, title, version } = await readDocument(body.document);
        return async ({ transaction, settle }) => {
          if (body.proxyId !== null) await requireProxy(transaction, body.proxyId);
          const written = {
            title: body.title ?? title.slice(0, 200).toWellFormed(),
            description: (textAt(objectAt(document.info).description) ?? '').slice(0, 10_000).toWellFormed(),
            apiVersion: version.slice(0, 50).toWellFormed(),
          };
          const id = await store.insertSpecification(transaction, body.proxyId, 'uploaded', {
            ...written,
            document: rules.editInfo(document, { title: body.title }),
          });
          await settle();
          const created = found(await store.findSpecification(transaction, id));
          return { data: created, change: { entityId: id, before: null, after: created } };
        };
      },
    },
    generateSpecification: async ({ params: { proxyId }, body }, { transaction, settle }) => {
      await lockProxy(transaction, proxyId);
      const content = await loadContent(transaction, proxyId);
      const newestId = await store.newestSpecificationId(transaction, proxyId);
      const before = newestId === null ? null : await store.findSpecification(transaction, newestId);
      const title = body.title ?? before?.title ?? content.proxy.displayName;
      const apiVersion = body.apiVersion ?? before?.apiVersion ?? rules.initialVersion(content.proxy.basePath);
      const document = generateDocument({
        content,
        previous: content.specification,
        title,
        version: apiVersion,
        serverUrl: null,
      });
      const written = {
        title,
        description: textAt(objectAt(document.info).description) ?? '',
        apiVersion,
        document,
      };
      if (newestId !== null)
        await store.updateSpecification(transaction, newestId, { ...written, source: 'generated' });
      const id = newestId ?? (await store.insertSpecification(transaction, proxyId, 'generated', written));
      await settle();
      await store.markCurrent(transaction, id);
      const after = found(await store.findSpecification(transaction, id));
      return { data: after, change: { entityId: id, before, after } };
    },
    getSpecification: async ({ params }, { transaction }) =>
      found(await store.findSpecification(transaction, params.specificationId)),
    updateSpecification: async ({ params: { specificationId }, body }, context) => {
      const { transaction } = context;
      const { before, document } = await store.lockSpecification(transaction, specificationId);
      let edited = document;
      for (const [index, { operationId, summary }] of (body.summaries ?? []).entries()) {
        const next = rules.editOperation(edited, operationId, { summary });
        if (next === null) throw fieldError(`summaries.${index}.operationId`, 'Operation not found.');
        edited = next;
      }
      await store.updateSpecification(transaction, specificationId, {
        title: body.title ?? before.title,
        description: body.description ?? before.description,
        apiVersion: body.apiVersion ?? before.apiVersion,
        document: rules.editInfo(edited, body),
      });
      const after = await concludeEdit(context, before);
      return { data: after, change: { entityId: specificationId, before, after } };
    },
    deleteSpecification: async ({ params: { specificationId } }, { transaction }) => {
      const { before } = await store.lockSpecification(transaction, specificationId);
      rules.refuseDelete(before);
      await store.deleteSpecification(transaction, specificationId);
      return { data: {}, change: { entityId: specificationId, before, after: null } };
    },
    downloadSpecification: async ({ params, query }, { transaction }) => {
      const { document, publishedDocument } = found(await store.findDocuments(transaction, params.specificationId));
      const wanted = found(query.state === 'published' ? publishedDocument : document);
      return query.format === 'json'
        ? { text: `${JSON.stringify(wanted, null, 2)}\n`, fileName: 'openapi.json' }
        : {
            text: await writeYaml(wanted),
            fileName: 'openapi.yaml',
            mediaType: 'application/yaml',
          };
    },
    listSpecificationOperations: async ({ params, query }, { transaction }) => {
      const { document } = found(await store.findDocuments(transaction, params.specificationId));
      const { method, tag, summarized } = query;
      const operations = rules
        .operationsOf(document)
        .filter((operation) => method === undefined || operation.method === method.toUpperCase())
        .filter((operation) => tag === undefined || operation.tags.includes(tag))
        .filter((operation) => summarized === undefined || (operation.summary !== '') === summarized);
      const { rows, total } = pageOf(operations, query, ['operationId', 'path', 'summary', 'description']);
      return { operations: [...rows], total };
    },
    updateSpecificationOperation: async ({ params, body }, context) => {
      const { transaction } = context;
      const { specificationId, operationId } = params;
      const { before, document } = await store.lockSpecification(transaction, specificationId);
      const find = (within: typeof document) =>
        rules.operationsOf(within).find((operation) => operation.operationId === operationId);
      const operationBefore = found(find(document));
      if (body.examples !== undefined) rules.refuseExamples(document, operationId, body.examples);
      const edited = found(rules.editOperation(document, operationId, body));
      await store.updateSpecification(transaction, specificationId, { ...before, document: edited });
      const after = await concludeEdit(context, before);
      const operation = found(find(edited));
      return {
        data: operation,
        change: {
          entityId: specificationId,
          before: { ...before, operation: operationBefore },
          after: { ...after, operation },
          note: `Operation ${operationId}`,
        },
      };
    },
    publishSpecification: async ({ params: { specificationId } }, { transaction, now }) => {
      const { before } = await store.lockSpecification(transaction, specificationId);
      rules.refusePublish(before);
      await store.setPublished(transaction, before, now);
      const after = found(await store.findSpecification(transaction, specificationId));
      return { data: after, change: { entityId: specificationId, before, after } };
    },
    unpublishSpecification: async ({ params: { specificationId } }, { transaction }) => {
      const { before } = await store.lockSpecification(transaction, specificationId);
      rules.refuseUnpublish(before);
      await store.setPublished(transaction, before, null);
      const after = found(await store.findSpecification(transaction, specificationId));
      return { data: after, change: { entityId: specificationId, before, after } };
    },
    lintSpecification: {
      prepare: async ({ params }, { organizationId }) => {
        const { document } = await tenantTransaction(
          parts.database,
          organizationId,
          async (transaction) => found(await store.findDocuments(transaction, params.specificationId)),
          { access: 'read only' },
        );
        const findings = await lint(document);
        return async () => ({
          findings: findings.slice(0, mostShown).map((finding) => ({ ...finding, path: [...finding.path] })),
          total: findings.length,
          counts: {
            error: count(findings, 'error'),
            warning: count(findings, 'warning'),
            information: count(findings, 'information'),
            hint: count(findings, 'hint'),
          },
        });
      },
    },
    compareSpecification: async ({ params: { specificationId }, query }, { transaction }) => {
      const { document, publishedDocument } = found(await store.findDocuments(transaction, specificationId));
      const { againstId = specificationId } = query;
      const against =
        againstId === specificationId
          ? (publishedDocument ?? document)
          : (await store.findDocuments(transaction, againstId))?.document;
      if (against === undefined) throw fieldError('againstId', 'Specification not found.');
      const changes = diffDocuments(against, document).toSorted(
        (first, second) => Number(second.breaking) - Number(first.breaking),
      );
      return {
        againstId,
        changes: changes.slice(0, mostShown),
        total: changes.length,
        breaking: changes.some(({ breaking }) => breaking),
      };
    },
  };
}

async function requireProxy(transaction: TenantTransaction, proxyId: string): Promise<void> {
  try {
    await lockProxy(transaction, proxyId);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') {
      throw fieldError('proxyId', 'API proxy not found.');
    }
    throw error;
  }
}

/** Applies the effects of an edit to a specification, and returns it. */
async function concludeEdit(
  { transaction, settle }: CallerContext<TenantTransaction>,
  before: { readonly id: string; readonly outdated: boolean | null },
) {
  await settle();
  // Editing texts doesn't change whether a specification matches the routes.
  if (before.outdated === false) await store.markCurrent(transaction, before.id);
  return found(await store.findSpecification(transaction, before.id));
}

async function lint(document: Parameters<typeof lintDocument>[0]): Promise<readonly LintFinding[]> {
  const order = ['error', 'warning', 'information', 'hint'];
  try {
    const findings = await lintDocument(document);
    return findings.toSorted((first, second) => order.indexOf(first.severity) - order.indexOf(second.severity));
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'The linter failed.';
    throw new ApiError('unprocessable', { message: `The document couldn’t be checked: ${reason}`, cause: error });
  }
}

function count(findings: readonly LintFinding[], severity: LintFinding['severity']): number {
  return findings.filter((finding) => finding.severity === severity).length;
}
