import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useIsAdministrator } from '../../frame/session.tsx';

/** Fields that everybody of the account sees and administrators change; who cannot is told why. */
export function AdministratorFields({ children }: { readonly children: ReactNode }) {
  const isAdministrator = useIsAdministrator();
  return (
    <>
      {!isAdministrator && (
        <Text mb="md" size="sm">
          Only an administrator of the account can change this.
        </Text>
      )}
      <fieldset disabled={!isAdministrator} className="plain-fieldset">
        {children}
      </fieldset>
    </>
  );
}
