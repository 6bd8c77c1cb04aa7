import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useIsAdministrator } from '../../frame/session.tsx';

/** Fields that everyone sees and only administrators can change. */
export function AdministratorFields({ children }: { readonly children: ReactNode }) {
  const isAdministrator = useIsAdministrator();
  return (
    <>
      {!isAdministrator && (
        <Text mb="md" size="sm">
          Only administrators can change this.
        </Text>
      )}
      <fieldset disabled={!isAdministrator} className="plain-fieldset">
        {children}
      </fieldset>
    </>
  );
}
