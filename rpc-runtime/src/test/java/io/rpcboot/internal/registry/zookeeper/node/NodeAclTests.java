package io.rpcboot.internal.registry.zookeeper.node;

import java.util.List;

import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.rpcboot.transport.Options.InvalidOptionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class NodeAclTests {

	@Test
	void acl_parsesShellSyntax() {
		NodeAcl acl = NodeAcl.parse("creator, sasl:monitor/host@ACME.COM:r,world:anyone:r,ip:10.0.0.0/8:cdrwa");
		assertThat(acl.entries()).containsExactly(new ACL(Perms.ALL, new Id("auth", "")),
				new ACL(Perms.READ, new Id("sasl", "monitor/host@ACME.COM")),
				new ACL(Perms.READ, new Id("world", "anyone")), new ACL(Perms.ALL, new Id("ip", "10.0.0.0/8")));
		assertThat(acl.needsIdentity()).isTrue();
		assertThat(acl.isOpen()).as("everybody reads, but nobody else changes").isFalse();
		assertThat(NodeAcl.parse("world:anyone:cdw").entries())
			.containsExactly(new ACL(Perms.CREATE | Perms.DELETE | Perms.WRITE, new Id("world", "anyone")));
		assertThat(NodeAcl.parse("open").isOpen()).isTrue();
		assertThat(NodeAcl.parse("open").needsIdentity()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { " ", "closed", "creator,", "sasl:monitor", "sasl:monitor:x", "Sasl:monitor:r",
			"open,creator", "digest:a b:r" })
	void unknownAcl_isRejected(String text) {
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(() -> NodeAcl.parse(text))
			.withMessageContaining("registry.zookeeper.acl: '" + text + "' (expected: open, or creator");
	}

	@Test
	void acl_detectsOpenNodes() {
		NodeAcl closed = NodeAcl.parse("creator");
		assertThat(closed.isWeakenedBy(ZooDefs.Ids.OPEN_ACL_UNSAFE)).isTrue();
		assertThat(closed.isWeakenedBy(List.of(new ACL(Perms.READ, ZooDefs.Ids.ANYONE_ID_UNSAFE)))).isFalse();
		assertThat(closed.isWeakenedBy(List.of(new ACL(Perms.ALL, new Id("digest", "a:b"))))).isFalse();
		assertThat(NodeAcl.OPEN.isWeakenedBy(ZooDefs.Ids.OPEN_ACL_UNSAFE)).isFalse();
	}

}
