package io.rpcboot.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

import io.rpcboot.client.ReferenceInfo.Instance;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.internal.client.fixture.AbstractHandDrivenRouter;
import io.rpcboot.internal.client.reference.ReferenceTable;
import io.rpcboot.internal.client.reference.ServiceRouter;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Slices in which the references of a client are described. */
class RpcClientReferencesTests extends AbstractHandDrivenRouter {

	private static List<Integer> sizes(ServiceRouter directory, int count) {
		Iterator<ServiceRouter> directories = Collections.nCopies(count, directory).iterator();
		List<Integer> sizes = new ArrayList<>();
		for (List<ReferenceInfo> slice = ReferenceTable.nextSlice(directories, true); !slice
			.isEmpty(); slice = ReferenceTable.nextSlice(directories, true)) {
			sizes.add(slice.size());
		}
		return sizes;
	}

	@Test
	void slices_countReferences_withoutInstances() {
		Caller caller = new Caller(WAIT);
		assertThat(sizes(caller.directory, 0)).isEmpty();
		assertThat(sizes(caller.directory, 600)).containsExactly(256, 256, 88);
	}

	@Test
	void slices_countInstancesOfAllReferences() {
		Caller caller = new Caller(WAIT, this.port, freePort(), freePort(), freePort());
		assertThat(sizes(caller.directory, 130)).containsExactly(64, 64, 2);
	}

	@Test
	void stateText_isShort_withManyInstances() {
		Caller caller = new Caller(WAIT, this.port);
		Instance instance = caller.directory.describe(true).instances().get(0);
		ReferenceInfo many = new ReferenceInfo(SERVICE.id(), Protocol.NATIVE, "the registry", "custom", true,
				Collections.nCopies(200, instance), 0, null);
		String one = "127.0.0.1:" + this.port + " is " + State.CONNECTING;
		assertThat(many.state()).isEqualTo(String.join(", ", Collections.nCopies(5, one)) + " and 195 more");
		assertThat(caller.directory.describe(true).state()).isEqualTo(one);
	}

}
