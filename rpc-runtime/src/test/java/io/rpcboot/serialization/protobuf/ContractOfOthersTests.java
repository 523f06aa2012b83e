package io.rpcboot.serialization.protobuf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.protostuff.Tag;
import io.rpcboot.RpcContract;
import io.rpcboot.RpcMethod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Compares an interface with the {@code .proto} that others have written. */
public class ContractOfOthersTests {

	private static final String PROTO = """
			syntax = "proto3";
			package acme.shop;
			import "google/protobuf/timestamp.proto";
			option java_package = "com.acme; /* no comment */";
			// the service { of others
			service Inventory {
			  rpc GetItem(ItemKey) returns (Item) { option deprecated = true; }
			  rpc Watch(ItemKey) returns (stream Item);
			}
			message ItemKey { string sku = 1; }
			message Item {
			  message Size { int32 width = 1 [deprecated = true]; int32 height = 2; }
			  reserved 3, 10 to 12;
			  string sku = 1;
			  Size size = 2;
			  Kind kind = 4;
			  repeated string tags = 5;
			  map<string, int64> stock = 6;
			  google.protobuf.Timestamp since = 7;
			  oneof price { int64 cents = 8; string text = 9; }
			  State state = 13;
			  uint32 weight = 14;
			}
			enum Kind { KIND_UNKNOWN = 0; KIND_CHAIR = 1; KIND_TABLE = 4; }
			enum State { ACTIVE = 0; RETIRED = 1; }
			""";

	@TempDir
	private Path folder;

	private List<String> mismatches(String proto) throws IOException {
		Path file = Files.writeString(this.folder.resolve("inventory.proto"), proto);
		return ContractFiles.of(Inventory.class).in(this.folder).mismatches(file);
	}

	@Test
	void interfaceOfAServiceOfOthers_matches() throws IOException {
		assertThat(mismatches(PROTO)).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					string sku = 1; }           | string sku = 2; }          | acme.shop.ItemKey: 1, sku: has the number 2 there
					string sku = 1;             | string sku = 15;           | acme.shop.ItemKey: 1, sku: has the number 15 there
					Size size = 2;              | string size = 2;           | acme.shop.Item: 2, size: string (expected:
					KIND_TABLE = 4              | KIND_TABLE = 2             | acme.shop.Kind: 4, CONTRACT_OF_OTHERS_TESTS_KIND_TABLE: has the number 2 there
					ACTIVE = 0; RETIRED = 1;    | RETIRED = 0; ACTIVE = 1;   | _STATE_ACTIVE: has the number 1 there
					repeated string tags        | string tags                | acme.shop.Item: 5, tags: one value there
					map<string, int64> stock    | map<string, sint64> stock  | acme.shop.Item: 6, stock: sint64 is not carried (expected: int64)
					uint32 weight               | fixed32 weight             | acme.shop.Item: 14, weight: fixed32 is not carried (expected: int32)
					uint32 weight               | uint64 weight              | acme.shop.Item: 14, weight: uint64 (expected: int32)
					int64 cents = 8;            | int64 other = 18;          | acme.shop.Item: 8, cents: no such field there
					rpc GetItem                 | rpc FindItem               | acme.shop.Inventory/GetItem: missing (expected: one of [FindItem, Watch])
					returns (Item)              | returns (stream Item)      | acme.shop.Inventory/GetItem: takes one message and returns a stream (expected: takes one message and returns one message)
					service Inventory           | service Stock              | service acme.shop.Inventory: missing (expected: one of [acme.shop.Stock])
					int32 height = 2;           | int32 height = 3;          | acme.shop.Item.Size: 2, height: has the number 3 there
					google.protobuf.Timestamp s | string s                   | acme.shop.Item: 7, since: string (expected: google.protobuf.Timestamp)
					""")
	void difference_isNamed(String old, String changed, String difference) throws IOException {
		assertThat(PROTO).contains(old);
		assertThat(mismatches(PROTO.replace(old, changed))).anyMatch((each) -> each.contains(difference));
	}

	/** The service of others. */
	@RpcContract(name = "acme.shop.Inventory")
	public interface Inventory {

		@RpcMethod(bare = true)
		Item getItem(ItemKey key);

	}

	public record ItemKey(@Tag(1) String sku) {
	}

	public record Item(@Tag(1) String sku, @Tag(2) Size size, @Tag(4) Kind kind, @Tag(5) List<String> tags,
			@Tag(6) Map<String, Long> stock, @Tag(7) Instant since, @Tag(8) Long cents, @Tag(9) String text,
			@Tag(13) State state, @Tag(14) int weight) {
	}

	public record Size(@Tag(1) int width, @Tag(2) int height) {
	}

	public enum Kind {

		@Tag(1)
		CHAIR, @Tag(4)
		TABLE

	}

	public enum State {

		@Tag(0)
		ACTIVE, @Tag(1)
		RETIRED

	}

}
