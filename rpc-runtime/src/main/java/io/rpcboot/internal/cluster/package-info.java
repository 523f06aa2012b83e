/**
 * What a client concludes from how its calls go: which instances are sick, which are
 * cold, which calls may be repeated. Knows nothing of connections.
 */
@NullMarked
package io.rpcboot.internal.cluster;

import org.jspecify.annotations.NullMarked;
