/**
 * Access of clients to the services of a server: identities of credentials, and the
 * decisions of rules. Knows neither connections nor protocols; they ask here. A server
 * without rules and authenticator has none of this.
 */
@NullMarked
package io.rpcboot.internal.server.access;

import org.jspecify.annotations.NullMarked;
