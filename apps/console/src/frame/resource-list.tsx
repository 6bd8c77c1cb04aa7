import { List, type ListProps } from '@millrace/ui/list';
import { NumberedPages } from '@millrace/ui/numbered-pages';

const pageSize = 25;

/** A list of the management API: in numbered pages. */
export function ResourceList<Row extends { readonly id: string }>(
  props: ListProps<Row> & { readonly total: number | undefined },
) {
  const { total, ...list } = props;
  return <List {...list} searchable pages={<Pages total={total} />} />;
}

/** The total of a list and its pages, which the address selects. */
export function Pages({ total }: { readonly total: number | undefined }) {
  return <NumberedPages total={total} pageSize={pageSize} />;
}
