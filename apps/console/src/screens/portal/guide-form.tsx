import { showDone } from '@millrace/ui/form';
import { SchemaForm } from '@millrace/ui/schema-form';
import { bodyOf, type DataOf, useWrite } from '../../frame/api.ts';
import { type Guide, languageNames } from './guide-state.tsx';
import { useProductOptions } from './products.ts';

/** Creates a guide without text, or edits where the given one stands. */
export function GuideForm(props: {
  readonly guide?: Guide;
  readonly onCancel: () => void;
  readonly onSaved: (guide: DataOf<'getGuide'>) => void;
}) {
  const { guide, onCancel, onSaved } = props;
  const create = useWrite('createGuide');
  const update = useWrite('updateGuide');
  return (
    <SchemaForm
      schema={bodyOf('createGuide').omit({ source: true, summary: true })}
      initial={guide}
      order={guide ? ['slug', 'language', 'position', 'productIds'] : ['title', 'slug', 'language']}
      omit={guide ? ['title'] : []}
      fields={{
        slug: { label: 'Address', nameOf: 'title', help: 'The same in both languages for translations of each other' },
        language: { options: Object.entries(languageNames).map(([value, label]) => ({ value, label })) },
        position: { widthPx: 160, help: 'Guides are listed by position, then title' },
        productIds: {
          label: 'API products',
          options: useProductOptions(guide?.productIds ?? []),
          help: 'Their pages link to the guide',
        },
      }}
      submitLabel={guide ? 'Save' : 'Create'}
      onCancel={onCancel}
      send={async (body) => {
        const { id, version } = guide ?? {};
        const saved = id
          ? await update.mutateAsync({ params: { guideId: id }, body, version })
          : await create.mutateAsync({ body: { ...body, source: '' } });
        showDone(id ? 'Guide saved.' : 'Guide created. Write its text, then publish it.');
        onSaved(saved);
      }}
    />
  );
}
